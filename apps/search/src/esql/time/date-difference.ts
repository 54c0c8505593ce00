import { num, type Sql, sql } from '../../sql/sql.ts'
import { dayMs, dayOf, monthsOf, remainder } from './calendar.ts'

/** Two moments, in milliseconds and in nanoseconds. */
interface Moments {
  readonly ms: readonly [from: Sql, to: Sql]
  readonly nanos: readonly [from: Sql, to: Sql]
}

/** Units of fixed length, in nanoseconds. */
const fixed: Readonly<Record<string, bigint>> = {
  dayofyear: 86_400_000_000_000n,
  day: 86_400_000_000_000n,
  weekday: 86_400_000_000_000n,
  week: 604_800_000_000_000n,
  hour: 3_600_000_000_000n,
  minute: 60_000_000_000n,
  second: 1_000_000_000n,
  millisecond: 1_000_000n,
  microsecond: 1_000n,
  nanosecond: 1n,
}

/** Units of the calendar, in months. */
const calendar: Readonly<Record<string, number>> = { year: 12, quarter: 3, month: 1 }

const aliases: Readonly<Record<string, string>> = {
  years: 'year',
  yy: 'year',
  yyyy: 'year',
  quarters: 'quarter',
  qq: 'quarter',
  q: 'quarter',
  months: 'month',
  mm: 'month',
  m: 'month',
  dy: 'dayofyear',
  y: 'dayofyear',
  days: 'day',
  dd: 'day',
  d: 'day',
  weeks: 'week',
  wk: 'week',
  ww: 'week',
  weekdays: 'weekday',
  dw: 'weekday',
  hours: 'hour',
  hh: 'hour',
  minutes: 'minute',
  mi: 'minute',
  n: 'minute',
  seconds: 'second',
  ss: 'second',
  s: 'second',
  milliseconds: 'millisecond',
  ms: 'millisecond',
  microseconds: 'microsecond',
  mcs: 'microsecond',
  nanoseconds: 'nanosecond',
  ns: 'nanosecond',
}

/** How many whole units lie between two moments; undefined for an unknown unit. */
export function dateDifference(unit: string, { ms: [from, to], nanos: [first, last] }: Moments): Sql | undefined {
  const asked = unit.toLowerCase()
  const name = Object.hasOwn(aliases, asked) ? (aliases[asked] ?? asked) : asked
  const size = Object.hasOwn(fixed, name) ? fixed[name] : undefined
  if (size !== undefined) return sql`intDiv(toInt128(${last}) - toInt128(${first}), toInt128(${num(size)}))`
  const months = Object.hasOwn(calendar, name) ? calendar[name] : undefined
  if (months === undefined) return undefined
  // A month is whole once the day of the month and the time of day are reached.
  const packed = (ms: Sql) =>
    sql`((${monthsOf(ms)} * 32 + toInt64(toDayOfMonth(${dayOf(ms)}))) * ${num(dayMs)} + ${remainder(ms, dayMs)})`
  return sql`intDiv(intDiv(${packed(to)} - ${packed(from)}, ${num(32 * dayMs)}), toInt64(${num(months)}))`
}
