import { once } from '../../sql/once.ts'
import { num, type Sql, sql } from '../../sql/sql.ts'
import type { EsqlType } from '../types.ts'

// The engine's calendar knows the years 1900 to 2299. Those are 400, after which the calendar repeats itself, weekdays included: a day of any other year is looked up
// in its place among them.
const firstYear = 1900
const firstDay = -25_567
const cycleYears = 400
const cycleDays = 146_097

/** Milliseconds, or for `date_nanos` nanoseconds, of a day. */
export function dayUnits(type: EsqlType): bigint {
  return type === 'date_nanos' ? 86_400_000_000_000n : 86_400_000n
}

/** The greatest multiple of `units` that is not above a whole number. */
export function floored(value: Sql, units: bigint, shift = 0n): Sql {
  const shifted = shift === 0n ? value : sql`(${value} + ${num(shift)})`
  return sql`(${value} - toInt64(positiveModulo(${shifted}, ${num(units)})))`
}

/** The same, or NULL where that is no long. */
export function flooredOrNull(value: Sql, units: bigint, shift = 0n): Sql {
  return sql`accurateCastOrNull(${floored(sql`toInt128(${value})`, units, shift)}, 'Int64')`
}

/** A whole number divided by `units` and rounded down. */
export function floorDivided(value: Sql, units: bigint): Sql {
  return sql`intDiv(${floored(value, units)}, ${num(units)})`
}

/** The day since 1970-01-01 that a moment falls on. */
export function dayOf(moment: Sql, type: EsqlType): Sql {
  return floorDivided(moment, dayUnits(type))
}

/** How long after the begin of its day a moment is, in the units of its type. */
export function timeOfDay(moment: Sql, type: EsqlType): Sql {
  return sql`toInt64(positiveModulo(${moment}, ${num(dayUnits(type))}))`
}

/** The last millisecond that moments are shown of, in the year 275760; the first is as far from 1970. */
export const momentMsMost = 8_640_000_000_000_000n

/** Milliseconds as a moment, or NULL where none is shown. */
export function shownMoment(ms: Sql): Sql {
  return once(
    'moment_ms',
    ms,
    (at) => sql`if(${at} BETWEEN ${num(-momentMsMost)} AND ${num(momentMsMost)}, ${at}, NULL)`,
  )
}

/** The moment, in the units of a type, that so many milliseconds are; NULL where the type has none. */
export function momentOf(ms: Sql, type: EsqlType): Sql {
  return type === 'date_nanos' ? sql`accurateCastOrNull(toInt128(${ms}) * 1000000, 'Int64')` : ms
}

/** A day as a date of the engine that has its month, day and weekday. */
export function engineDate(day: Sql): Sql {
  return sql`toDate32(toInt32(${num(firstDay)} + toInt64(positiveModulo(${day} - ${num(firstDay)}, ${num(cycleDays)}))))`
}

function yearsAway(day: Sql): Sql {
  return sql`${num(cycleYears)} * ${floorDivided(sql`(${day} - ${num(firstDay)})`, BigInt(cycleDays))}`
}

/** The year of a day. */
export function yearOf(day: Sql): Sql {
  return sql`(toInt64(toYear(${engineDate(day)})) + ${yearsAway(day)})`
}

/** The month of a day, 1 to 12. */
export function monthOf(day: Sql): Sql {
  return sql`toInt64(toMonth(${engineDate(day)}))`
}

/** The day of the month of a day, from 1. */
export function dayOfMonth(day: Sql): Sql {
  return sql`toInt64(toDayOfMonth(${engineDate(day)}))`
}

/** The date of the engine that has a year's place in the calendar. */
export function engineDateOf(year: Sql, month: Sql, day: Sql): Sql {
  const within = sql`(${num(firstYear)} + toInt64(positiveModulo(${year} - ${num(firstYear)}, ${num(cycleYears)})))`
  return sql`makeDate32(${within}, ${month}, ${day})`
}

/** The day since 1970-01-01 of a date; the month and the day must be ones. */
export function dayNumber(year: Sql, month: Sql, day: Sql): Sql {
  const cycles = floorDivided(sql`(${year} - ${num(firstYear)})`, BigInt(cycleYears))
  return sql`(toInt64(toInt32(${engineDateOf(year, month, day)})) + ${num(cycleDays)} * ${cycles})`
}

/** A moment so many months later, on the last day of the month where that has no such day; NULL where the type has no such moment. */
export function monthsLater(moment: Sql, type: EsqlType, months: number): Sql {
  const units = dayUnits(type)
  return once('later_at', moment, (at) =>
    once('later_day', dayOf(at, type), (day) =>
      once('later_month', sql`(${yearOf(day)} * 12 + ${monthOf(day)} - 1 + ${num(months)})`, (month) => {
        const year = floorDivided(month, 12n)
        const ofYear = sql`(toInt64(positiveModulo(${month}, 12)) + 1)`
        const first = dayNumber(year, ofYear, sql`1`)
        const next = sql`(${month} + 1)`
        const length = sql`(${dayNumber(floorDivided(next, 12n), sql`(toInt64(positiveModulo(${next}, 12)) + 1)`, sql`1`)} - ${first})`
        const toDay = sql`(${first} + least(${dayOfMonth(day)}, ${length}) - 1)`
        const later = sql`accurateCastOrNull(toInt128(${toDay}) * ${num(units)} + ${timeOfDay(at, type)}, 'Int64')`
        // Nanoseconds of moments begin with 1970.
        return type === 'date_nanos'
          ? sql`accurateCastOrNull(accurateCastOrNull(${later}, 'UInt64'), 'Int64')`
          : shownMoment(later)
      }),
    ),
  )
}
