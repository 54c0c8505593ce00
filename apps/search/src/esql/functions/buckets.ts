import type { Span } from '@logstack/esql'
import { isSpan } from '@logstack/esql'
import { num, type Sql, sql } from '../../sql/sql.ts'
import { type Answer, defineFunction, type EsqlFunction } from '../define-function.ts'
import { implicitly } from '../implicit-casts.ts'
import { finite, spanMonths, spanMs } from '../operators.ts'
import { checkSpan, truncated } from '../time/date-trunc.ts'
import { dateTypes, numericTypes, shownType, spanTypes, stringTypes, wholeTypes } from '../types.ts'
import { nullOf, refuse, type Value } from '../value.ts'

/** Spans that people like, from long to short. */
const niceSpans: readonly Span[] = [
  { amount: 1, unit: 'year' },
  { amount: 1, unit: 'month' },
  { amount: 1, unit: 'week' },
  { amount: 1, unit: 'day' },
  ...[12, 3, 1].map((amount) => ({ amount, unit: 'hour' as const })),
  ...[30, 10, 5, 1].map((amount) => ({ amount, unit: 'minute' as const })),
  ...[30, 10, 5, 1].map((amount) => ({ amount, unit: 'second' as const })),
  ...[100, 50, 10, 1].map((amount) => ({ amount, unit: 'millisecond' as const })),
]

const bucket = defineFunction({
  name: 'bucket',
  ofItsArgument: true,
  aliases: ['bin'],
  params: [
    { name: 'field', types: [...numericTypes, ...dateTypes], shown: 'date_nanos, datetime or numeric' },
    {
      name: 'buckets',
      types: [...numericTypes, ...spanTypes],
      constant: true,
      shown: 'integral, date_period or time_duration',
    },
    { name: 'from', types: [...numericTypes, ...dateTypes, ...stringTypes], optional: true, constant: true },
    { name: 'to', types: [...numericTypes, ...dateTypes, ...stringTypes], optional: true, constant: true },
  ],
  compile({ sql: [cell = sql`NULL`], values: [field, buckets, from, to], text }) {
    if (!field || !buckets) throw new Error('BUG: a bucket has a field and a size')
    if ((from === undefined) !== (to === undefined))
      refuse(
        field,
        `function expects exactly four arguments when the first one is of type [${shownType(field.type)}] and the second of type [${shownType(buckets.type)}]`,
      )
    if (dateTypes.includes(field.type)) return ofDates(cell, field, { buckets, from, to, text })
    return ofNumbers(cell, field, { buckets, from, to, text })
  },
})

interface Buckets {
  readonly buckets: Value
  readonly from: Value | undefined
  readonly to: Value | undefined
  readonly text: string
}

function ofDates(cell: Sql, field: Value, { buckets, from, to, text }: Buckets): Answer {
  const { type } = field
  const span = buckets.literal
  if (buckets.type === 'null' || from?.type === 'null' || to?.type === 'null') return { type, sql: nullOf(type) }
  if (span && isSpan(span)) {
    if (from)
      refuse(
        field,
        `function expects exactly two arguments when the first one is of type [datetime] and the second of type [${buckets.type}]`,
      )
    checkSpan(buckets, span)
    return { type, sql: truncated(cell, type, span) }
  }
  if (!from || !to)
    return refuse(
      field,
      wholeTypes.includes(buckets.type)
        ? 'function expects exactly four arguments when the first one is of type [datetime] and the second of type [integer]'
        : `second argument of [${text}] must be [integral, date_period or time_duration], found value [${buckets.text}] type [${buckets.type}]`,
    )
  const [begin, end] = [momentMs(from, 'third', text), momentMs(to, 'fourth', text)]
  return { type, sql: truncated(cell, type, niceSpan(countOf(buckets, text), begin, end)) }
}

function countOf(buckets: Value, text: string): number {
  const count = Number(buckets.literal)
  if (!wholeTypes.includes(buckets.type))
    refuse(
      buckets,
      `second argument of [${text}] must be [integral], found value [${buckets.text}] type [${buckets.type}]`,
    )
  return count
}

function momentMs(value: Value, which: string, text: string): number {
  const read = dateTypes.includes(value.type) ? value : implicitly(value, ['date'])
  const { literal } = read ?? {}
  if (!read || typeof literal !== 'bigint' || !dateTypes.includes(read.type))
    return refuse(
      value,
      `${which} argument of [${text}] must be [datetime or string], found value [${value.text}] type [${shownType(value.type)}]`,
    )
  return Number(read.type === 'date_nanos' ? literal / 1_000_000n : literal)
}

/** The shortest of the nice spans that makes no more buckets than are wanted; the longest where none does. */
export function niceSpan(count: number, fromMs: number, toMs: number): Span {
  let best = niceSpans[0] as Span
  for (const span of niceSpans) {
    if (countBetween(span, fromMs, toMs) > count) return best
    best = span
  }
  return best
}

function countBetween(span: Span, fromMs: number, toMs: number): number {
  const ms = spanMs(span)
  if (ms !== undefined) {
    // Weeks begin on Mondays, three days before the epoch's first.
    const shift = span.unit === 'week' ? 3 * 86_400_000 : 0
    return Math.ceil((toMs + shift) / ms) - Math.floor((fromMs + shift) / ms)
  }
  const [from, to] = [new Date(fromMs), new Date(toMs - 1)]
  const months = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth()
  const each = spanMonths(span)
  return Math.floor(months(to) / each) - Math.floor(months(from) / each) + 1
}

function ofNumbers(cell: Sql, field: Value, { buckets, from, to, text }: Buckets): Answer {
  const none = { type: 'double', sql: nullOf('double') } as const
  if (buckets.type === 'null' || from?.type === 'null' || to?.type === 'null') return none
  if (spanTypes.includes(buckets.type))
    refuse(
      buckets,
      `second argument of [${text}] must be [numeric], found value [${buckets.text}] type [${buckets.type}]`,
    )
  if (field.type === 'null') return none
  const size =
    from && to
      ? niceSize(countOf(buckets, text), numberOf(from, 'third', text), numberOf(to, 'fourth', text))
      : Number(buckets.literal)
  if (size === 0 || !Number.isFinite(size)) return none
  return { type: 'double', sql: finite(sql`(floor(toFloat64(${cell}) / ${num(size)}) * ${num(size)})`) }
}

function numberOf(value: Value, which: string, text: string): number {
  if (!numericTypes.includes(value.type))
    refuse(
      value,
      `${which} argument of [${text}] must be [numeric], found value [${value.text}] type [${shownType(value.type)}]`,
    )
  return Number(value.literal)
}

/** The size of buckets that makes no more than are wanted: a power of ten, or the half of one. */
export function niceSize(count: number, from: number, to: number): number {
  const precise = (to - from) / count
  const power = 10 ** Math.ceil(Math.log10(precise))
  return precise < power / 2 ? power / 2 : power
}

/** What cuts a range into buckets. */
export const bucketFunctions: readonly EsqlFunction[] = [bucket]
