import type { Span } from '@logstack/esql'
import { once } from '../../sql/once.ts'
import { num, type Sql, sql } from '../../sql/sql.ts'
import { spanMonths, spanMs } from '../operators.ts'
import type { EsqlType } from '../types.ts'
import { refuse, type Value } from '../value.ts'
import {
  dayNumber,
  dayOf,
  dayUnits,
  floorDivided,
  floored,
  flooredOrNull,
  momentOf,
  monthOf,
  yearOf,
} from './calendar-sql.ts'

const nanosOfMs = 1_000_000n
const dayMs = 86_400_000
/** The first Monday of the epoch is 1970-01-05. */
const daysToMonday = 4n

/** The begin of the span of time that a moment falls in. Weeks begin on Mondays; other fixed spans are counted from 1970, months and years from the first of year 1. */
export function truncated(moment: Sql, type: EsqlType, span: Span): Sql {
  return once('trunc_at', moment, (at) => begin(at, type, span))
}

function begin(moment: Sql, type: EsqlType, span: Span): Sql {
  const ms = spanMs(span)
  if (ms !== undefined) {
    const units = BigInt(ms) * (type === 'date_nanos' ? nanosOfMs : 1n)
    const shift = ms === 7 * dayMs && isPeriod(span) ? -daysToMonday * dayUnits(type) : 0n
    // Nanoseconds begin within 1677: what they are rounded to may be before that.
    return type === 'date_nanos' ? flooredOrNull(moment, units, shift) : floored(moment, units, shift)
  }
  return once('trunc_day', dayOf(moment, type), (day) => momentOf(sql`(${firstDay(day, span)} * ${num(dayMs)})`, type))
}

function isPeriod({ unit }: Span): boolean {
  return unit === 'day' || unit === 'week'
}

function firstDay(day: Sql, span: Span): Sql {
  const first = sql`1`
  if (span.unit === 'year') {
    const year = yearOf(day)
    const from = span.amount === 1 ? year : floored(year, BigInt(span.amount), -1n)
    return dayNumber(from, first, first)
  }
  const months = spanMonths(span)
  if (months === 1) return dayNumber(yearOf(day), monthOf(day), first)
  return once('trunc_month', floored(sql`((${yearOf(day)} - 1) * 12 + ${monthOf(day)} - 1)`, BigInt(months)), (month) =>
    dayNumber(sql`(${floorDivided(month, 12n)} + 1)`, sql`(toInt64(positiveModulo(${month}, 12)) + 1)`, first),
  )
}

/** Throws `Problem` for a span that has no length. */
export function checkSpan(at: Value, { amount }: Span): void {
  if (!(amount > 0)) refuse(at, 'Zero or negative time interval is not supported')
}
