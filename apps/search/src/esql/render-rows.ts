import { formatIp, parseIp } from '@logstack/rules'
import { dateFormat, defaultDateFormat, defaultDateNanosFormat } from '../dates/date-format.ts'
import { printDouble } from '../json/print-json.ts'
import type { Column } from './stage.ts'
import { momentMsMost } from './time/calendar-sql.ts'
import type { EsqlType } from './types.ts'

const millis = dateFormat(defaultDateFormat.split('||')[0] ?? '')
const nanos = dateFormat(defaultDateNanosFormat.split('||')[0] ?? '')
const msMost = Number(momentMsMost)
/** 10000-01-01T00:00:00.000Z */
const yearFiveMs = 253_402_300_800_000
const nanosPerMs = 1_000_000n

/** Cells of the engine as an answer has them: moments as texts, truths as such, whole numbers beyond 2^53 as bigints; lists of one value as that value. */
export function renderRows(columns: readonly Column[], rows: readonly (readonly unknown[])[]): unknown[][] {
  const readers = columns.map(({ type, show }) => show ?? readerOf(type))
  return rows.map((row) => readers.map((read, at) => cellOf(row[at], read)))
}

function cellOf(cell: unknown, read: (value: unknown) => unknown): unknown {
  if (cell === null || cell === undefined) return null
  if (!Array.isArray(cell)) return read(cell)
  const values = cell.map(read)
  return values.length > 1 ? values : (values[0] ?? null)
}

function readerOf(type: EsqlType): (value: unknown) => unknown {
  switch (type) {
    case 'boolean':
      return (value) => value === true || value === 1
    case 'date':
      return (value) => (Math.abs(Number(value)) <= msMost ? printMillis(Number(value)) : null)
    case 'date_nanos':
      return (value) => printNanos(BigInt(value as string))
    case 'integer':
    case 'long':
    case 'unsigned_long':
      return (value) => (typeof value === 'string' ? BigInt(value) : value)
    case 'double':
      // The engine writes whole ones beyond 2^53 as texts.
      return Number
    case 'geo_point':
      return (value) => shownPoint(String(value))
    case 'ip':
      return (value) => {
        const address = parseIp(String(value))
        return address === undefined ? null : formatIp(address)
      }
    default:
      return (value) => value
  }
}

/** A year of more than four figures has a sign. */
function printMillis(ms: number): string {
  const text = millis.print({ ms, nanos: 0 })
  return ms >= yearFiveMs ? `+${text}` : text
}

/** A point as well-known text; the engine has it as `lat,lon`. */
function shownPoint(value: string): string {
  const [lat, lon] = value.split(',').map(Number)
  return `POINT (${printDouble(lon ?? 0)} ${printDouble(lat ?? 0)})`
}

function printNanos(value: bigint): string {
  const rest = ((value % nanosPerMs) + nanosPerMs) % nanosPerMs
  return nanos.print({ ms: Number((value - rest) / nanosPerMs), nanos: Number(rest) })
}
