import { num, type Sql, sql } from '../../sql/sql.ts'
import { dayMs, dayOf, floorDiv, monthsOf, remainder } from './calendar.ts'

const hourMs = 3_600_000
const minuteMs = 60_000

const ofDay = (ms: Sql, size: number) => sql`intDiv(${remainder(ms, dayMs)}, toInt64(${num(size)}))`
const dayOfMonth = (ms: Sql) => sql`toInt64(toDayOfMonth(${dayOf(ms)}))`
const dayOfYear = (ms: Sql) => sql`toInt64(toDayOfYear(${dayOf(ms)}))`
const aligned = (day: Sql) => sql`(intDiv(${day} - 1, toInt64(7)) + 1)`
const alignedDay = (day: Sql) => sql`(modulo(${day} - 1, toInt64(7)) + 1)`
const hour = (ms: Sql) => ofDay(ms, hourMs)
/** Hours from 1 on: midnight is the last. */
const clockHour = (hours: Sql, most: number) => sql`if(${hours} = 0, toInt64(${num(most)}), ${hours})`
const nanosOf = (ms: Sql, size: number, nanos: Sql) => sql`(${remainder(ms, size)} * 1000000 + ${nanos})`

/** The fields of Java's calendar, of milliseconds of the epoch and the nanoseconds beyond them. */
const fields: Readonly<Record<string, (ms: Sql, nanos: Sql) => Sql>> = {
  ALIGNED_DAY_OF_WEEK_IN_MONTH: (ms) => alignedDay(dayOfMonth(ms)),
  ALIGNED_DAY_OF_WEEK_IN_YEAR: (ms) => alignedDay(dayOfYear(ms)),
  ALIGNED_WEEK_OF_MONTH: (ms) => aligned(dayOfMonth(ms)),
  ALIGNED_WEEK_OF_YEAR: (ms) => aligned(dayOfYear(ms)),
  AMPM_OF_DAY: (ms) => ofDay(ms, 12 * hourMs),
  CLOCK_HOUR_OF_AMPM: (ms) => clockHour(sql`modulo(${hour(ms)}, toInt64(12))`, 12),
  CLOCK_HOUR_OF_DAY: (ms) => clockHour(hour(ms), 24),
  DAY_OF_MONTH: dayOfMonth,
  DAY_OF_WEEK: (ms) => sql`(${remainder(sql`${floorDiv(ms, dayMs)} + 3`, 7)} + 1)`,
  DAY_OF_YEAR: dayOfYear,
  EPOCH_DAY: (ms) => floorDiv(ms, dayMs),
  ERA: (ms) => sql`if(isNull(${ms}), NULL, toInt64(1))`,
  HOUR_OF_AMPM: (ms) => sql`modulo(${hour(ms)}, toInt64(12))`,
  HOUR_OF_DAY: hour,
  INSTANT_SECONDS: (ms) => floorDiv(ms, 1000),
  MICRO_OF_DAY: (ms, nanos) => sql`intDiv(${nanosOf(ms, dayMs, nanos)}, toInt64(1000))`,
  MICRO_OF_SECOND: (ms, nanos) => sql`intDiv(${nanosOf(ms, 1000, nanos)}, toInt64(1000))`,
  MILLI_OF_DAY: (ms) => remainder(ms, dayMs),
  MILLI_OF_SECOND: (ms) => remainder(ms, 1000),
  MINUTE_OF_DAY: (ms) => ofDay(ms, minuteMs),
  MINUTE_OF_HOUR: (ms) => sql`intDiv(${remainder(ms, hourMs)}, toInt64(60000))`,
  MONTH_OF_YEAR: (ms) => sql`toInt64(toMonth(${dayOf(ms)}))`,
  NANO_OF_DAY: (ms, nanos) => nanosOf(ms, dayMs, nanos),
  NANO_OF_SECOND: (ms, nanos) => nanosOf(ms, 1000, nanos),
  OFFSET_SECONDS: (ms) => sql`if(isNull(${ms}), NULL, toInt64(0))`,
  PROLEPTIC_MONTH: (ms) => sql`(${monthsOf(ms)} + 12)`,
  SECOND_OF_DAY: (ms) => ofDay(ms, 1000),
  SECOND_OF_MINUTE: (ms) => sql`intDiv(${remainder(ms, minuteMs)}, toInt64(1000))`,
  YEAR: (ms) => sql`toInt64(toYear(${dayOf(ms)}))`,
  YEAR_OF_ERA: (ms) => sql`toInt64(toYear(${dayOf(ms)}))`,
}

/** A field of the calendar by its name, in any case; undefined where there is none of that name. */
export function calendarField(name: string, ms: Sql, nanos: Sql): Sql | undefined {
  const key = name.toUpperCase()
  return Object.hasOwn(fields, key) ? fields[key]?.(ms, nanos) : undefined
}
