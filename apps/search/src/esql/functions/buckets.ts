import { isSpan, type Span } from '@logstack/esql'
import { calendarRounding, type DateRounding, fixedRounding } from '../../dsl/shapes/date-rounding.ts'
import { utc } from '../../indices/date-format.ts'
import { num, type Sql, sql } from '../../sql/sql.ts'
import { defineFunction, type EsqlFunction, type FunctionCall } from '../define-function.ts'
import { readMoment } from '../time/read-moment.ts'
import { truncated } from '../time/truncate.ts'
import { dateTypes, numericTypes, spanTypes, stringTypes } from '../types.ts'
import { refuse, type Value } from '../value.ts'
import { msOf, ofMs } from './dates.ts'

const nothing = sql`NULL`
const span = (amount: number, unit: Span['unit']): Span => ({ amount, unit })

/** The spans that people read easily, from the longest. */
const readable: readonly (readonly [Span, DateRounding])[] = [
  [span(1, 'year'), calendarRounding('1y', utc, 0)],
  [span(1, 'month'), calendarRounding('1M', utc, 0)],
  [span(1, 'week'), calendarRounding('1w', utc, 0)],
  [span(1, 'day'), calendarRounding('1d', utc, 0)],
  ...([12, 3, 1] as const).map((hours) => [span(hours, 'hour'), fixedRounding(hours * 3_600_000, utc, 0)] as const),
  ...([30, 10, 5, 1] as const).map(
    (minutes) => [span(minutes, 'minute'), fixedRounding(minutes * 60_000, utc, 0)] as const,
  ),
  ...([30, 10, 5, 1] as const).map(
    (seconds) => [span(seconds, 'second'), fixedRounding(seconds * 1_000, utc, 0)] as const,
  ),
  ...([100, 50, 10, 1] as const).map((ms) => [span(ms, 'millisecond'), fixedRounding(ms, utc, 0)] as const),
]

/** The shortest readable span of which at most so many lie between two moments. */
function spanBetween(from: number, to: number, most: number): Span {
  let found = readable[0]?.[0] ?? span(1, 'year')
  for (const [each, rounding] of readable.slice(1)) {
    if (!fits(rounding, from, to, most)) return found
    found = each
  }
  return found
}

function fits({ floor, next }: DateRounding, from: number, to: number, most: number): boolean {
  let start = floor(from)
  for (let used = 0; used < most; used += 1) {
    start = next(start)
    if (start >= to) return true
  }
  return false
}

/** The most buckets that are looked for. */
const bucketsMax = 10_000

function bucketsOf(value: Value | undefined): number {
  const count = typeof value?.literal === 'bigint' ? Number(value.literal) : 0
  if (value && (count < 1 || count > bucketsMax))
    refuse(value, `number of buckets must be between 1 and ${bucketsMax}, found [${value.text}]`)
  return count
}

function ofDates(
  call: FunctionCall,
  date: Value,
  moment: Sql,
): { readonly type: 'date' | 'date_nanos'; readonly sql: Sql } {
  const [, size, from, to] = call.values
  const type = date.type === 'date_nanos' ? 'date_nanos' : 'date'
  const { literal = null } = size ?? {}
  const isSize = literal !== null && isSpan(literal)
  if (isSize && literal.amount <= 0 && size) refuse(size, 'Zero or negative time interval is not supported')
  if (isSize) return { type, sql: ofMs(type, truncated(literal, msOf(date, moment))) }
  if (!from || !to)
    return refuse(
      call,
      `second argument of [${call.text}] must be [date_period or time_duration], found value [${size?.text ?? ''}] type [${size?.type ?? ''}]`,
    )
  const chosen = spanBetween(momentOf(from, call), momentOf(to, call), bucketsOf(size))
  return { type, sql: ofMs(type, truncated(chosen, msOf(date, moment))) }
}

/** A bound that stands in the query, in milliseconds. */
function momentOf(value: Value, call: FunctionCall): number {
  const { literal, type } = value
  if (typeof literal === 'bigint') return Number(type === 'date_nanos' ? literal / 1_000_000n : literal)
  const read = typeof literal === 'string' ? readMoment(literal) : undefined
  return read === undefined
    ? refuse(value, `argument of [${call.text}] must be a constant, received [${value.text}]`)
    : Number(read / 1_000_000n)
}

function ofNumbers(call: FunctionCall, number: Sql): { readonly type: 'double'; readonly sql: Sql } {
  const [, size, from, to] = call.values
  const width =
    from && to ? roundWidth(numberOf(from, call), numberOf(to, call), bucketsOf(size)) : numberOf(size, call)
  if (!(width > 0) && size) refuse(size, `the size of buckets must be greater than zero, found [${size.text}]`)
  return { type: 'double', sql: sql`(floor(toFloat64(${number}) / ${num(width)}) * toFloat64(${num(width)}))` }
}

/** The width of buckets that is a power of ten, or half of one. */
function roundWidth(from: number, to: number, buckets: number): number {
  const precise = (to - from) / buckets
  const power = 10 ** Math.ceil(Math.log10(precise))
  return precise < power / 2 ? power / 2 : power
}

function numberOf(value: Value | undefined, call: FunctionCall): number {
  const { literal } = value ?? {}
  if (typeof literal === 'bigint' || typeof literal === 'number') return Number(literal)
  return refuse(value ?? call, `argument of [${call.text}] must be a constant, received [${value?.text ?? ''}]`)
}

const bounds = [...dateTypes, ...numericTypes, ...stringTypes]

const bucket = defineFunction({
  name: 'bucket',
  aliases: ['bin'],
  params: [
    { name: 'field', types: [...dateTypes, ...numericTypes], shown: 'datetime or numeric' },
    {
      name: 'buckets',
      types: [...numericTypes, ...spanTypes],
      shown: 'numeric, date_period or time_duration',
      constant: true,
    },
    { name: 'from', types: bounds, optional: true },
    { name: 'to', types: bounds, optional: true },
  ],
  compile(call) {
    const [field] = call.values
    const [cell = nothing] = call.sql
    if (call.values.length === 3)
      refuse(
        call,
        `function expects exactly four arguments when the first one is of type [${field?.type ?? ''}] and the second of type [INTEGER]`,
      )
    if (!field || field.type === 'null') return { type: 'date', sql: nothing }
    return dateTypes.includes(field.type) ? ofDates(call, field, cell) : ofNumbers(call, cell)
  },
})

/** Groups of moments and of numbers. */
export const bucketFunctions: readonly EsqlFunction[] = [bucket]
