import { compareVersions, formatIp, parseIp, type ValueType } from '@logstack/rules'
import { dateFormat, defaultDateFormat, type TimeZone } from '../../dates/date-format.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { Double } from '../../json/print-json.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { versionKey } from '../../sql/version-order.ts'
import type { KeyOrder, KeyPart, RowField } from '../define-aggregation.ts'
import { formatNumber } from '../number-format.ts'
import { mappedDateFormat } from '../shapes/field-value.ts'

const versions: KeyOrder = { rank: versionKey, compare: compareVersions }

/** A bucket key of a field's own values; nanoseconds are cut to milliseconds. */
export function fieldKey(field: RowField): KeyPart {
  const order = field.field?.wireType === 'version' ? { order: versions } : {}
  if (field.type !== 'date_nanos')
    return { sql: grouped(field), many: field.many, type: field.type ?? 'string', ...order }
  const values = field.many ? sql`arrayMap(x -> intDiv(x, 1000000), ${field.sql})` : sql`intDiv(${field.sql}, 1000000)`
  return { sql: values, many: field.many, type: 'date' }
}

/**
 * Values that are about as many as rows are grouped as plain texts: as long as they fit into memory that costs the same, and what is put together from files
 * would hold the dictionary of every block of them, which does not fit either (`max_bytes_before_external_group_by`, ADR 0007).
 */
function grouped({ sql: value, many, type, needles }: RowField): Sql {
  if (needles !== true || type !== 'string') return value
  return many ? sql`CAST(${value} AS Array(String))` : sql`CAST(${value} AS Nullable(String))`
}

const numbers = new Set<ValueType | undefined>(['long', 'unsigned', 'double'])

/** A key as Elasticsearch answers it: `key`, and `key_as_string` where that differs. */
export function renderKey(raw: unknown, field: RowField, format?: string | undefined): JsonObject {
  switch (field.type) {
    case 'boolean':
      return { key: raw === true ? 1 : 0, key_as_string: raw === true ? 'true' : 'false' }
    case 'date':
    case 'date_nanos':
      return { key: Number(raw), key_as_string: showDate(Number(raw), field, format) }
    default: {
      const text =
        format !== undefined && numbers.has(field.type) ? { key_as_string: formatNumber(format, Number(raw)) } : {}
      return { key: plainKey(raw, field.type), ...text }
    }
  }
}

/** How a number that stands for values of a field is written beside it; undefined where nothing is. */
export function valuePrinter(field: RowField, format: string | undefined): ((value: number) => string) | undefined {
  if (field.type === 'boolean') return (value) => String(value !== 0)
  if (field.type === 'date' || field.type === 'date_nanos') {
    const print = datePrinter(field, format, undefined)
    return (value) => print(Math.floor(value))
  }
  return format === undefined ? undefined : (value) => formatNumber(format, value)
}

/** A key alone: text, a number, or a double with its point. */
export function plainKey(raw: unknown, type: ValueType | undefined): unknown {
  if (raw === null) return null
  if (type === 'ip') return canonicalIp(String(raw))
  if (type === 'double') return new Double(Number(raw))
  if (type === 'long' || type === 'unsigned') return typeof raw === 'number' ? raw : BigInt(String(raw))
  if (type === 'date' || type === 'date_nanos') return Number(raw)
  return typeof raw === 'boolean' ? raw : String(raw)
}

/** An address of the engine, which writes IPv4 as mapped IPv6, as canonical text. */
export function canonicalIp(text: string): string {
  const address = parseIp(text)
  return address === undefined ? text : formatIp(address)
}

/** A moment in the format given or of the field, on the clocks of a zone. */
export function showDate(ms: number, field: RowField, format: string | undefined, zone?: TimeZone): string {
  return datePrinter(field, format, zone)(ms)
}

/** As `showDate`, for many moments. */
export function datePrinter(
  { field }: RowField,
  format: string | undefined,
  zone: TimeZone | undefined,
): (ms: number) => string {
  const pattern = format === undefined && field ? mappedDateFormat(field) : dateFormat(format ?? defaultDateFormat)
  return (ms) => pattern.print({ ms, nanos: 0 }, zone)
}
