import { isAppError } from '@logstack/errors'
import { type Arithmetic, type Comparison, isSpan, type Place, type Span } from '@logstack/esql'
import { luceneRegexp } from '@logstack/rules'
import { civilToMs, daysInMonth, msToCivil } from '../dates/calendar.ts'
import { boundOnce } from '../sql/once.ts'
import { matchSql } from '../sql/pattern-to-sql.ts'
import { join, num, type Sql, sql } from '../sql/sql.ts'
import { versionKey } from '../sql/version-order.ts'
import { doubleRest } from './double-rest.ts'
import { exception, type Fault, firstReason, missingReason, severalReason } from './faults.ts'
import { implicitly } from './implicit-casts.ts'
import { momentMsMost, monthsLater } from './time/calendar-sql.ts'
import {
  commonType,
  dateTypes,
  type EsqlType,
  numericTypes,
  shownType,
  spanTypes,
  stringTypes,
  wholeTypes,
} from './types.ts'
import { made, nullOf, refuse, single, type Value } from './value.ts'

type Written = Place & { readonly text: string; readonly note?: ((fault: Fault) => void) | undefined }

/** Takes down why an operator may have no value. */
function noted(at: Written, operands: readonly Value[], own?: Sql): void {
  const reason = at.note && firstReason([severalReason(operands), own])
  if (reason) at.note?.({ from: at.from, to: at.to, text: at.text, reason })
}

/** What kind of values compare with each other. */
function family(type: EsqlType): string {
  if (numericTypes.includes(type)) return 'numeric'
  if (stringTypes.includes(type)) return 'keyword'
  return dateTypes.includes(type) ? 'datetime' : shownType(type)
}

/** Both sides as values that compare with each other: what stands in the query is read as the other's type. */
function alike(at: Written, left: Value, right: Value): readonly [Value, Value] {
  if (family(left.type) === family(right.type)) return [left, right]
  const cast = implicitly(right, [left.type])
  if (cast) return [left, cast]
  const other = implicitly(left, [right.type])
  if (other) return [other, right]
  return refuse(
    at,
    `first argument of [${at.text}] is [${family(left.type)}] so second argument must also be [${family(left.type)}] but was [${shownType(right.type)}]`,
  )
}

/** The sides as numbers of one unit: moments in nanoseconds beside such, whole numbers as doubles. */
function comparable(left: Value, right: Value, isOrdered: boolean): readonly [Sql, Sql] {
  const types = [left.type, right.type]
  const side = (value: Value) => {
    if (isOrdered && value.type === 'version') return versionKey(single(value))
    if (types.includes('date_nanos') && value.type === 'date') return sql`toInt128(${single(value)}) * 1000000`
    return types.includes('double') && wholeTypes.includes(value.type)
      ? sql`toFloat64(${single(value)})`
      : single(value)
  }
  return [side(left), side(right)]
}

const ordered = '[date_nanos, datetime, double, integer, ip, keyword, long, text, unsigned_long or version]'

/** `left op right`: unknown where a side has no value, or several. */
export function compare(at: Written, op: Comparison, given: readonly [Value, Value]): Value {
  const which =
    op === '==' || op === '!=' ? -1 : given.findIndex(({ type }) => type === 'boolean' || type === 'geo_point')
  const truth = given[which]
  if (truth)
    refuse(
      at,
      `${which === 0 ? 'first' : 'second'} argument of [${at.text}] must be ${ordered}, found value [${truth.text}] type [${truth.type}]`,
    )
  const [left, right] = alike(at, ...given)
  if (left.type === 'null' || right.type === 'null') return made(at, 'boolean', nullOf('boolean'))
  noted(at, [left, right])
  const [a, b] = comparable(left, right, op !== '==' && op !== '!=')
  const signs = { '==': sql`=`, '!=': sql`!=`, '<': sql`<`, '<=': sql`<=`, '>': sql`>`, '>=': sql`>=` } as const
  return made(at, 'boolean', sql`(${a} ${signs[op]} ${b})`)
}

/** Whether a value is one of several. */
export function among(at: Written, of: Value, members: readonly Value[]): Value {
  // A null beside others is unknown; alone it is of no type.
  const isKnown = members.some(({ type }) => type !== 'null')
  const read = members.map((member) => (isKnown && member.type === 'null' ? member : alike(at, of, member)[1]))
  const isWide = of.type !== 'double' && read.some(({ type }) => type === 'double')
  const plain =
    read.length > 2 && !isWide && read.every(({ literal, many }) => literal !== undefined && literal !== null && !many)
  if (plain && of.type !== 'null' && !dateTypes.includes(of.type)) {
    noted(at, [of])
    return made(
      at,
      'boolean',
      sql`(${single(of)} IN (${join(
        read.map((each) => each.sql),
        ', ',
      )}))`,
    )
  }
  if (of.type === 'null') return made(at, 'boolean', nullOf('boolean'))
  noted(at, [of, ...read])
  const found = (one: Sql) =>
    sql`(${join(
      read.map((member) =>
        member.type === 'null'
          ? nullOf('boolean')
          : compare({ ...at, note: undefined }, '==', [{ ...of, sql: one }, member]).sql,
      ),
      ' OR ',
    )})`
  return made(at, 'boolean', read.length > 1 ? boundOnce('o', of.sql, found) : found(of.sql))
}

/** A truth, for AND, OR and NOT, where `which` says the argument (`first `), and for WHERE. */
export function truth(value: Value, at: Written, which?: '' | 'first ' | 'second '): Sql {
  if (value.type === 'null') return nullOf('boolean')
  if (value.type === 'boolean') return single(value)
  if (which === undefined)
    return refuse(at, `Condition expression needs to be boolean, found [${shownType(value.type).toUpperCase()}]`)
  return refuse(
    at,
    `${which}argument of [${at.text}] must be [boolean], found value [${value.text}] type [${shownType(value.type)}]`,
  )
}

/** `NOT x`: unknown where the truth is. */
export function inverted(at: Written, of: Value): Value {
  const held = truth(of, at, '')
  noted(at, [of])
  return made(at, 'boolean', sql`(NOT ${held})`)
}

/** Whether a text fits one of several patterns. */
export function like(at: Written, kind: 'like' | 'rlike', of: Value, patterns: readonly Value[]): Value {
  if (of.type !== 'null' && !stringTypes.includes(of.type))
    refuse(of, `argument of [${at.text}] must be [string], found value [${of.text}] type [${shownType(of.type)}]`)
  const texts = patterns.map((pattern) => {
    const { literal } = pattern
    if (typeof literal !== 'string') return refuse(pattern, `argument of [${at.text}] must be a constant string`)
    if (kind === 'rlike') checkRegexp(pattern, literal)
    return literal
  })
  if (of.type === 'null') return made(at, 'boolean', nullOf('boolean'))
  // A pattern that any text fits is asked no text: what has a value, or several, has one that fits.
  const fitsAll = (text: string) => (kind === 'like' ? /^[*]+$/u.test(text) : text === '.*' || text === '@')
  if (texts.some(fitsAll)) return made(at, 'boolean', of.many ? sql`notEmpty(${of.sql})` : sql`isNotNull(${of.sql})`)
  noted(at, [of])
  const wire = kind === 'like' ? 'wildcard' : 'regexp'
  const fits = (one: Sql) =>
    sql`(${join(
      texts.map((text) => matchSql({ kind: wire, text, caseInsensitive: false }, one)),
      ' OR ',
    )})`
  const value = single(of)
  return made(at, 'boolean', texts.length > 1 ? boundOnce('o', value, fits) : fits(value))
}

function checkRegexp(at: Value, text: string): void {
  try {
    const read = luceneRegexp(text)
    if ('error' in read) refuse(at, `Invalid regex pattern for RLIKE [${text}]: [${read.error}]`)
  } catch (thrown) {
    if (isAppError(thrown)) refuse(at, `Invalid regex pattern for RLIKE [${text}]: [${thrown.message}]`)
    throw thrown
  }
}

/** Sum, difference, product, quotient and rest; moments and spans for sum and difference. */
export function calculate(at: Written, op: Arithmetic, given: readonly [Value, Value]): Value {
  const [left, right] = given
  if ((op === '+' || op === '-') && given.some(({ type }) => dateTypes.includes(type) || spanTypes.includes(type)))
    return shift(at, op, left, right)
  const [a, b] = given.map((side) =>
    stringTypes.includes(side.type) ? (implicitly(side, numericTypes) ?? side) : side,
  ) as [Value, Value]
  checkOperand(at, op, 'first', a)
  checkOperand(at, op, 'second', b)
  const type = commonType(a.type, b.type)
  if (type === undefined || type === 'null' || a.type === 'null' || b.type === 'null')
    return made(at, type ?? 'null', nullOf(type ?? 'null'))
  if (type === 'unsigned_long' && a.type !== b.type)
    refuse(
      at,
      `first argument of [${at.text}] is [${a.type}] and second is [${b.type}]. [unsigned_long] can only be operated on together with another [unsigned_long]`,
    )
  const result = arithmetic(op, type, single(a), single(b))
  noted(at, [a, b], at.note && arithmeticReason(op, type, { a: single(a), b: single(b), result }))
  return made(at, type, result)
}

/** Why numbers have no sum, product, quotient or rest. */
function arithmeticReason(
  op: Arithmetic,
  type: EsqlType,
  { a, b, result }: { readonly a: Sql; readonly b: Sql; readonly result: Sql },
): Sql | undefined {
  const failed = (message: string) => exception('java.lang.ArithmeticException', message)
  if (op === '%') return sql`if(${b} = 0 AND isNotNull(${a}), ${failed('/ by zero')}, '')`
  if (op === '/') return missingReason(result, [a, b], failed('/ by zero'))
  if (type !== 'double')
    return missingReason(result, [a, b], failed(`${type === 'integer' ? 'integer' : 'long'} overflow`))
  const raw = op === '+' ? sql`(${a} + ${b})` : op === '-' ? sql`(${a} - ${b})` : sql`(${a} * ${b})`
  const endless = sql`multiIf(isNaN(${raw}), 'NaN', ${raw} > 0, 'Infinity', '-Infinity')`
  return missingReason(result, [a, b], sql`concat(${failed('not a finite double number: ')}, ${endless})`)
}

function checkOperand(at: Written, op: Arithmetic, which: 'first' | 'second', side: Value): void {
  if (side.type === 'null' || numericTypes.includes(side.type)) return
  const isSum = op === '+' || op === '-'
  if (isSum && (dateTypes.includes(side.type) || spanTypes.includes(side.type))) return
  refuse(
    at,
    `${which} argument of [${at.text}] must be [${isSum ? 'date_nanos, datetime or numeric' : 'numeric'}], found value [${side.text}] type [${shownType(side.type)}]`,
  )
}

/** Numbers that a type cannot hold are NULL, as is what is divided by nothing. */
function arithmetic(op: Arithmetic, type: EsqlType, a: Sql, b: Sql): Sql {
  if (type === 'double') {
    const result = {
      '+': sql`(${a} + ${b})`,
      '-': sql`(${a} - ${b})`,
      '*': sql`(${a} * ${b})`,
      '/': sql`(toFloat64(${a}) / toFloat64(${b}))`,
      '%': doubleRest(sql`toFloat64(${a})`, sql`toFloat64(${b})`),
    }[op]
    return finite(result)
  }
  // Wide enough that nothing is lost before it is looked at; the engine refuses to divide the least whole number by -1.
  const wide = type === 'integer' ? sql`toInt64` : sql`toInt128`
  const [left, right] = [sql`${wide}(${a})`, sql`${wide}(${b})`]
  if (op === '%') return held(type, sql`modulo(${left}, nullIf(${right}, 0))`)
  // The least whole number divided by -1 is itself, as in Java.
  if (op === '/') return wrapped(type, sql`intDiv(${left}, nullIf(${right}, 0))`)
  const sign = { '+': sql`+`, '-': sql`-`, '*': sql`*` }[op]
  return held(type, sql`(${left} ${sign} ${right})`)
}

/** A whole number as its last 32 or 64 bits say it. */
function wrapped(type: EsqlType, value: Sql): Sql {
  if (type === 'unsigned_long') return sql`toUInt64(${value})`
  return type === 'integer' ? sql`toInt64(toInt32(${value}))` : sql`toInt64(${value})`
}

/** A whole number as a type has it, or NULL where the type has none such. */
export function held(type: EsqlType, value: Sql): Sql {
  if (type === 'integer') return sql`toInt64(accurateCastOrNull(${value}, 'Int32'))`
  return sql`accurateCastOrNull(${value}, ${type === 'unsigned_long' ? sql`'UInt64'` : sql`'Int64'`})`
}

/** A double, or NULL where it is none: results are never infinite. Its text has the value once: nested expressions would double with each level. */
export function finite(value: Sql): Sql {
  return sql`nullIf(ifNotFinite(${value}, inf), inf)`
}

const unitMs: Readonly<Partial<Record<Span['unit'], number>>> = {
  millisecond: 1,
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
}

/** How long a span is, in milliseconds; undefined where that depends on the calendar. */
export function spanMs({ amount, unit }: Span): number | undefined {
  const ms = unitMs[unit]
  return ms === undefined ? undefined : ms * amount
}

/** How many months a span of the calendar is. */
export function spanMonths({ amount, unit }: Span): number {
  return amount * (unit === 'year' ? 12 : unit === 'quarter' ? 3 : 1)
}

const nanosFault = exception(
  'java.time.DateTimeException',
  'Date nanos out of range.  Must be between 1970-01-01T00:00:00Z and 2262-04-11T23:47:16.854775807',
)

function shift(at: Written, op: '+' | '-', left: Value, right: Value): Value {
  const incompatible = (): never =>
    refuse(at, `[${op}] has arguments with incompatible types [${shownType(left.type)}] and [${shownType(right.type)}]`)
  const [read, span] = spanTypes.includes(left.type) && op === '+' ? [right, left] : [left, right]
  const moment = implicitly(read, ['date']) ?? read
  checkOperand(at, op, 'first', left.type === 'keyword' ? moment : left)
  checkOperand(at, op, 'second', right.type === 'keyword' ? moment : right)
  if (moment.type === 'null' || span.type === 'null') return made(at, 'date', nullOf('date'))
  const { literal } = span
  if (!spanTypes.includes(span.type) || literal === undefined || literal === null || !isSpan(literal))
    return incompatible()
  if (!dateTypes.includes(moment.type)) return incompatible()
  const sign = op === '-' ? -1 : 1
  const ms = spanMs(literal)
  const isNanos = moment.type === 'date_nanos'
  const value = single(moment)
  const written = (sum: Sql) => {
    noted(at, [moment], isNanos ? missingReason(sum, [value], nanosFault) : undefined)
    return made(at, moment.type, sum)
  }
  if (ms !== undefined) {
    const shiftMs = BigInt(sign * ms)
    if (shiftMs > 2n * momentMsMost || shiftMs < -2n * momentMsMost) return made(at, moment.type, nullOf(moment.type))
    const units = shiftMs * (isNanos ? 1_000_000n : 1n)
    const sum = isNanos
      ? nanosHeld(sql`(toInt128(${value}) + toInt128(${num(units)}))`)
      : sql`(${value} + ${num(units)})`
    const shifted = written(sum)
    // What stands in the query stays a constant: `BUCKET(x, 20, NOW() - 1 day, NOW())`.
    return typeof moment.literal === 'bigint' ? { ...shifted, literal: moment.literal + units } : shifted
  }
  const months = sign * spanMonths(literal)
  const shifted = written(monthsLater(value, moment.type, months))
  if (typeof moment.literal !== 'bigint' || isNanos) return shifted
  return { ...shifted, literal: BigInt(msMonthsLater(Number(moment.literal), months)) }
}

function msMonthsLater(ms: number, months: number): number {
  const { year, month, day, ...time } = msToCivil(ms)
  const index = year * 12 + month - 1 + months
  const [toYear, toMonth] = [Math.floor(index / 12), (((index % 12) + 12) % 12) + 1]
  return (
    civilToMs({ ...time, year: toYear, month: toMonth, day: Math.min(day, daysInMonth(toYear, toMonth)) }) +
    Math.floor(time.nanos / 1e6)
  )
}

/** Nanoseconds of a moment, or NULL: those of moments begin with 1970. */
function nanosHeld(value: Sql): Sql {
  return sql`accurateCastOrNull(accurateCastOrNull(${value}, 'UInt64'), 'Int64')`
}

/** `-x`. */
export function negate(at: Written, of: Value): Value {
  if (of.type !== 'null' && !numericTypes.includes(of.type))
    refuse(
      at,
      `argument of [${at.text}] must be [numeric, date_period or time_duration], found value [${of.text}] type [${shownType(of.type)}]`,
    )
  if (of.type === 'null') return made(at, 'null', nullOf('null'))
  if (of.type === 'double') {
    noted(at, [of])
    return made(at, 'double', sql`(-${single(of)})`)
  }
  return calculate(at, '-', [made(at, of.type, sql`toInt64(0)`), of])
}
