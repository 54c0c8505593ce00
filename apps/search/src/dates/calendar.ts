/** Milliseconds of a day. */
export const dayMs = 86_400_000

/** Days since 1970-01-01 of a date in the proleptic Gregorian calendar; `month` is 1 to 12, any year (`Date.UTC` bends years below 100). */
export function daysFromCivil(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** Number of days of a month (1 to 12). */
export function daysInMonth(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}

/** A moment as a wall clock shows it; `month` is 1 to 12, `nanos` 0 to 999,999,999. */
export interface CivilTime {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly nanos: number
}

/** Epoch milliseconds of a wall-clock time, read as UTC. */
export function civilToMs(time: Omit<CivilTime, 'nanos'>): number {
  const days = daysFromCivil(time.year, time.month, time.day)
  return days * dayMs + time.hour * 3_600_000 + time.minute * 60_000 + time.second * 1000
}

/** The wall clock of UTC at `ms`; `nanosOfMs` are the nanoseconds within that millisecond. */
export function msToCivil(ms: number, nanosOfMs = 0): CivilTime {
  const date = new Date(ms)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    nanos: date.getUTCMilliseconds() * 1_000_000 + nanosOfMs,
  }
}

/** Day of the week of a day number, 1 is Monday (ISO 8601). */
export function isoWeekday(days: number): number {
  return ((((days + 3) % 7) + 7) % 7) + 1
}

/** Where weeks begin, 1 is Monday, and how many days of a year its first week has at least. */
export interface WeekRules {
  readonly firstDay: number
  readonly minimalDays: number
}

const isoWeeks: WeekRules = { firstDay: 1, minimalDays: 4 }

/** Day number of the first day of week 1 of a week-based year. */
function firstWeek(weekYear: number, { firstDay, minimalDays }: WeekRules): number {
  const within = daysFromCivil(weekYear, 1, minimalDays)
  return within - ((isoWeekday(within) - firstDay + 7) % 7)
}

const firstMonday = (weekYear: number): number => firstWeek(weekYear, isoWeeks)

/** Day number of a day given by week, its weekday counted from the day on which weeks begin; ISO weeks unless told otherwise. */
export function daysFromWeek(weekYear: number, week: number, weekday: number, rules = isoWeeks): number {
  return firstWeek(weekYear, rules) + (week - 1) * 7 + weekday - 1
}

/** The ISO week a day number falls in. */
export function isoWeek(days: number, year: number): { weekYear: number; week: number } {
  const weekYear = days >= firstMonday(year + 1) ? year + 1 : days < firstMonday(year) ? year - 1 : year
  return { weekYear, week: Math.floor((days - firstMonday(weekYear)) / 7) + 1 }
}
