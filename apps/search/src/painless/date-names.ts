import { dayMs } from '../dates/calendar.ts'

/** The constants of `DayOfWeek`, Monday first. */
export const weekdays = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY']
/** The constants of `Month`. */
export const months = [
  'JANUARY',
  'FEBRUARY',
  'MARCH',
  'APRIL',
  'MAY',
  'JUNE',
  'JULY',
  'AUGUST',
  'SEPTEMBER',
  'OCTOBER',
  'NOVEMBER',
  'DECEMBER',
]
/** What dates are shifted by (`plusDays`) that is as long wherever it begins, in milliseconds. */
export const fixedUnitsMs: Readonly<Record<string, number>> = {
  Weeks: 7 * dayMs,
  Days: dayMs,
  Hours: 3_600_000,
  Minutes: 60_000,
  Seconds: 1000,
}
