import { AppError, searchErrors } from '@logstack/errors'
import { readValue, type Value, type ValueType } from '@logstack/rules'
import { type DateFormat, dateFormat, defaultDateFormat, shownInstant, timeZone } from '../../dates/date-format.ts'
import { evaluateDateMath } from '../../dates/date-math.ts'
import { findFieldType, isUnsearchable } from '../../indices/field-types/index.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import { illegalArgument } from '../../refusals/refuse.ts'

/** A field whose values can be searched. */
export type SearchableField = ResolvedField & { readonly valueType: ValueType }

const shapes = new Set(['geo_point', 'geo_shape'])

/** Narrows to a searchable field; throws `illegal_argument_exception` for types that are only stored. `kind`: what queries some types refuse by name. */
export function searchable(field: ResolvedField, kind?: 'match' | 'range'): SearchableField {
  const { valueType, wireType } = field
  const isShape = kind !== undefined && shapes.has(wireType)
  if (valueType !== undefined && !isUnsearchable(wireType) && !isShape) return { ...field, valueType }
  if (valueType === undefined && field.parameters['index'] === false)
    throw illegalArgument(`Cannot search on field [${field.path}] since it is not indexed.`)
  if (wireType === 'binary' && kind === undefined) throw illegalArgument('Binary fields do not support searching')
  const refusal = findFieldType(wireType)?.refusals?.query
  const named = kind === undefined ? undefined : `${kind} queries`
  if (refusal !== undefined && named === undefined) throw illegalArgument(refusal)
  throw illegalArgument(`Field [${field.path}] of type [${wireType}] does not support ${named ?? 'search'}`)
}

/** Whether a field holds moments. */
export function isDate(field: ResolvedField): boolean {
  return field.valueType === 'date' || field.valueType === 'date_nanos'
}

/** How a date in a query is read. */
export interface DateReading {
  readonly nowMs: number
  /** Absent: the format of the mapping. */
  readonly format?: string | undefined
  readonly timeZone?: string | undefined
  /** Missing parts and roundings go to their end. */
  readonly roundUp: boolean
}

/** The format of a date field's mapping. */
export function mappedDateFormat(field: ResolvedField): DateFormat {
  const given = field.parameters['format']
  return dateFormat(typeof given === 'string' ? given : defaultDateFormat)
}

/** A date, or date math, as the value of a date field. */
export function dateValue(given: unknown, field: ResolvedField, reading: DateReading): number | bigint {
  const format = reading.format === undefined ? mappedDateFormat(field) : dateFormat(reading.format)
  const zone = reading.timeZone === undefined ? undefined : timeZone(reading.timeZone)
  const instant = evaluateDateMath(String(given), {
    format,
    nowMs: reading.nowMs,
    roundUp: reading.roundUp,
    ...(zone ? { zone } : {}),
  })
  if (field.valueType === 'date') return instant.ms
  const filled = reading.roundUp && instant.nanos === 0 ? 999_999 : instant.nanos
  return BigInt(instant.ms) * 1_000_000n + BigInt(filled)
}

/** A date that a query looks for; throws where the field's values cannot be told from it. */
export function soughtDate(given: unknown, field: ResolvedField, reading: DateReading): number | bigint {
  const value = dateValue(given, field, reading)
  if (typeof value !== 'bigint' || (value >= 0n && value <= lastNanos)) return value
  const ms = Number(value / 1_000_000n)
  const shown = shownInstant({ ms, nanos: Number(value % 1_000_000n) })
  const where = value < 0n ? 'before the epoch in 1970' : 'after 2262-04-11T23:47:16.854775807'
  throw illegalArgument(`date[${shown}] is ${where} and cannot be stored in nanosecond resolution`)
}
const lastNanos = 2n ** 63n - 1n

/** A number in a query, with its fraction even for whole-number fields: `gt: 1.5` is a bound of a `long` too. */
function numberValue(given: unknown, field: SearchableField): number | bigint {
  const value = readValue(given, 'double')
  if (typeof value !== 'number') throw numberFormat(given)
  if (field.wireType === 'float') return Math.fround(value)
  if (field.valueType === 'double' || !Number.isInteger(value)) return value
  const exact = readValue(given, 'long')
  return typeof exact === 'number' || typeof exact === 'bigint' ? exact : value
}

/** A value that documents are to have, as their column keeps it: half floats are rounded in bounds of a range only where it shows. */
export function soughtValue(given: unknown, field: SearchableField): Value {
  const value = exactValue(given, field)
  return field.wireType === 'half_float' ? (findFieldType('half_float')?.queryValue(value, field) ?? value) : value
}

/** A value given in a query for a field that is neither text nor a date. Throws what Elasticsearch names as the cause. */
export function exactValue(given: unknown, field: SearchableField): Value {
  switch (field.valueType) {
    case 'long':
    case 'unsigned':
    case 'double':
      return numberValue(given, field)
    case 'boolean': {
      const value = readValue(given, 'boolean')
      if (value === undefined || given === '')
        throw illegalArgument(`Can't parse boolean value [${String(given)}], expected [true] or [false]`)
      return value
    }
    case 'ip': {
      const value = readValue(given, 'ip')
      if (value === undefined) throw illegalArgument(`'${String(given)}' is not an IP string literal.`)
      return value
    }
    default:
      return findFieldType(field.wireType)?.queryValue(given, field) ?? String(given)
  }
}

/** What is wrong with a network of which the address is right. */
export function networkFault(text: string): string | undefined {
  const [, address = '', length = ''] = /^(.*)\/(\d+)$/u.exec(text) ?? []
  if (address === '' || readValue(address, 'ip') === undefined) return undefined
  return `Illegal prefix length [${length}] in [${text}]. Must be 0-32 for IPv4 ranges, 0-128 for IPv6 ranges`
}

function numberFormat(given: unknown): AppError {
  const reason = given === '' ? 'empty String' : `For input string: "${String(given)}"`
  return new AppError(searchErrors.number_format_exception, reason)
}
