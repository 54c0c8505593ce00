import { isSpan, readSpan } from '@logstack/esql'
import { formatIp, parseIp } from '@logstack/rules'
import { num, sql, str } from '../sql/sql.ts'
import { UnreadConstant } from './problems.ts'
import { readMoment } from './time/read-moment.ts'
import { type EsqlType, numericTypes, stringTypes } from './types.ts'
import { literalSql, literalType, type Value } from './value.ts'

/** The types a text that stands in the query is read as by itself, in the order they are tried. */
const read: readonly EsqlType[] = ['date', 'date_nanos', 'ip', 'version', 'boolean', 'date_period', 'time_duration']

/**
 * A literal as one of the types that are wanted, where it is read so by itself: a text as a moment, an address, a version, a truth or a span; a whole number as a greater
 * one or a double. Undefined where it is not. Throws `Problem` where a text is to be read as a type and cannot.
 */
export function implicitly(value: Value, wanted: readonly EsqlType[]): Value | undefined {
  if (numericTypes.includes(value.type)) return asNumber(value, wanted)
  if (value.literal === undefined || value.literal === null || !stringTypes.includes(value.type)) return undefined
  if (wanted.some((type) => stringTypes.includes(type))) return undefined
  for (const type of read) {
    if (!wanted.includes(type)) continue
    if (Array.isArray(value.literal)) return undefined
    return asType(value, String(value.literal), type)
  }
  return undefined
}

function asNumber(value: Value, wanted: readonly EsqlType[]): Value | undefined {
  const order: readonly EsqlType[] = ['integer', 'long', 'double']
  const greater = order.slice(order.indexOf(value.type) + 1).find((type) => wanted.includes(type))
  if (order.indexOf(value.type) < 0 || greater === undefined) return undefined
  if (greater !== 'double') return { ...value, type: greater }
  const one = value.many ? sql`arrayMap(x -> toFloat64(x), ${value.sql})` : sql`toFloat64(${value.sql})`
  return { ...value, type: greater, sql: one }
}

/** A text of the query as a double, where a function takes numbers and no texts. Throws `Problem` where it is none. */
export function asDouble(value: Value, wanted: readonly EsqlType[]): Value | undefined {
  const { literal } = value
  if (typeof literal !== 'string' || !stringTypes.includes(value.type) || !wanted.includes('double')) return undefined
  const number = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[dDfF]?\s*$/u.test(literal)
    ? Number.parseFloat(literal)
    : Number.NaN
  if (!Number.isFinite(number)) unread(value, 'DOUBLE', `Cannot parse number [${literal}]`)
  return { ...value, type: 'double', literal: number, sql: literalSql(number, 'double') }
}

function unread({ from, literal }: Value, type: string, reason: string): never {
  throw new UnreadConstant(from, `Cannot convert string [${String(literal)}] to [${type}], error [${reason}]`)
}

/** A text of the query as an address of the Internet, in the form that the engine reads. */
function asAddress(value: Value, text: string): Value {
  const address = parseIp(text)
  if (address === undefined) return unread(value, 'IP', `'${text}' is not an IP string literal.`)
  return { ...value, type: 'ip', sql: sql`toIPv6(${str(formatIp(address))})` }
}

/** A text of the query as a type. */
function asType(value: Value, text: string, type: EsqlType): Value {
  switch (type) {
    case 'date':
    case 'date_nanos': {
      const moment = readMoment(text)
      if (moment === undefined)
        return unread(
          value,
          type === 'date' ? 'DATETIME' : 'DATE_NANOS',
          `failed to parse date field [${text}] with format [strict_date_optional_time]`,
        )
      const literal = type === 'date' ? moment / 1_000_000n : moment
      return { ...value, type, literal, sql: num(literal) }
    }
    case 'ip':
      return asAddress(value, text)
    case 'boolean':
      if (!/^(?:true|false)$/iu.test(text))
        return unread(value, 'BOOLEAN', `Failed to parse value [${text}] as only [true] or [false] are allowed.`)
      return { ...value, type, literal: /true/iu.test(text), sql: literalSql(/true/iu.test(text), 'boolean') }
    case 'date_period':
    case 'time_duration': {
      const span = readSpan(text)
      if (!span || !isSpan(span))
        return unread(
          value,
          type.toUpperCase(),
          `Invalid interval value in [${text}], expected integer followed by one of [MILLISECOND, MILLISECONDS, MS, SECOND, SECONDS, SEC, S, MINUTE, MINUTES, MIN, HOUR, HOURS, H, DAY, DAYS, D, WEEK, WEEKS, W, MONTH, MONTHS, MO, QUARTER, QUARTERS, Q, YEAR, YEARS, YR, Y] but got [${text}]`,
        )
      return { ...value, type: literalType(span), literal: span }
    }
    default:
      return { ...value, type }
  }
}
