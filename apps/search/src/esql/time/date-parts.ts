import { num, type Sql, sql } from '../../sql/sql.ts'
import type { EsqlType } from '../types.ts'
import { dayOf, dayOfMonth, engineDate, monthOf, timeOfDay, yearOf } from './calendar-sql.ts'

/** A moment taken apart: its day since 1970-01-01 and the nanoseconds of that day. */
export interface Moment {
  readonly day: Sql
  readonly nanos: Sql
}

/** A moment of a type taken apart. */
export function takenApart(moment: Sql, type: EsqlType): Moment {
  const time = timeOfDay(moment, type)
  return { day: dayOf(moment, type), nanos: type === 'date_nanos' ? time : sql`(${time} * 1000000)` }
}

/** So many nanoseconds of the day in greater units, `per` of which the next greater unit has. */
export function unitsOf({ nanos }: Moment, unitNanos: number, per?: number): Sql {
  const whole = sql`intDiv(${nanos}, ${num(unitNanos)})`
  return per === undefined ? whole : sql`(${whole} % ${num(per)})`
}

/** Nanoseconds of units of time. */
export const nanosOf = { micro: 1_000, milli: 1_000_000, second: 1e9, minute: 60e9, hour: 3_600e9 } as const

const dayOfYear = (day: Sql): Sql => sql`toInt64(toDayOfYear(${engineDate(day)}))`
const hour = (moment: Moment): Sql => unitsOf(moment, nanosOf.hour)

/** The fields of a moment by the names that `java.time.temporal.ChronoField` has for them. */
export const chronoFields: Readonly<Record<string, (moment: Moment) => Sql>> = {
  aligned_day_of_week_in_month: ({ day }) => sql`((${dayOfMonth(day)} - 1) % 7 + 1)`,
  aligned_day_of_week_in_year: ({ day }) => sql`((${dayOfYear(day)} - 1) % 7 + 1)`,
  aligned_week_of_month: ({ day }) => sql`(intDiv(${dayOfMonth(day)} - 1, 7) + 1)`,
  aligned_week_of_year: ({ day }) => sql`(intDiv(${dayOfYear(day)} - 1, 7) + 1)`,
  ampm_of_day: (moment) => sql`intDiv(${hour(moment)}, 12)`,
  clock_hour_of_ampm: (moment) => sql`((${hour(moment)} + 11) % 12 + 1)`,
  clock_hour_of_day: (moment) => sql`((${hour(moment)} + 23) % 24 + 1)`,
  day_of_month: ({ day }) => dayOfMonth(day),
  day_of_week: ({ day }) => sql`toInt64(toDayOfWeek(${engineDate(day)}))`,
  day_of_year: ({ day }) => dayOfYear(day),
  epoch_day: ({ day }) => day,
  era: ({ day }) => sql`toInt64(${yearOf(day)} > 0)`,
  hour_of_ampm: (moment) => sql`(${hour(moment)} % 12)`,
  hour_of_day: hour,
  instant_seconds: (moment) => sql`(${moment.day} * 86400 + ${unitsOf(moment, nanosOf.second)})`,
  micro_of_day: (moment) => unitsOf(moment, nanosOf.micro),
  micro_of_second: (moment) => unitsOf(moment, nanosOf.micro, 1_000_000),
  milli_of_day: (moment) => unitsOf(moment, nanosOf.milli),
  milli_of_second: (moment) => unitsOf(moment, nanosOf.milli, 1_000),
  minute_of_day: (moment) => unitsOf(moment, nanosOf.minute),
  minute_of_hour: (moment) => unitsOf(moment, nanosOf.minute, 60),
  month_of_year: ({ day }) => monthOf(day),
  nano_of_day: ({ nanos }) => nanos,
  nano_of_second: (moment) => unitsOf(moment, 1, nanosOf.second),
  // All moments are shown in UTC.
  offset_seconds: ({ day }) => sql`(${day} * 0)`,
  proleptic_month: ({ day }) => sql`(${yearOf(day)} * 12 + ${monthOf(day)} - 1)`,
  second_of_day: (moment) => unitsOf(moment, nanosOf.second),
  second_of_minute: (moment) => unitsOf(moment, nanosOf.second, 60),
  year: ({ day }) => yearOf(day),
  year_of_era: ({ day }) => sql`if(${yearOf(day)} > 0, ${yearOf(day)}, 1 - ${yearOf(day)})`,
}
