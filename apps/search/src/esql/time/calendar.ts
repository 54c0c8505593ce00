import { num, type Sql, sql } from '../../sql/sql.ts'

/** Milliseconds of a day. */
export const dayMs = 86_400_000
/** The years that the engine's calendar has: from 1900 to 2299, in milliseconds. */
const calendarMs = { from: -2_208_988_800_000, to: 10_413_791_999_999 } as const

/** `value` cut down to a multiple of `size`, also below 0. */
export function floorTo(value: Sql, size: number, shift = 0): Sql {
  const moved = shift === 0 ? value : sql`${value} + ${num(shift)}`
  return sql`(${value} - toInt64(positiveModulo(${moved}, toInt64(${num(size)}))))`
}

/** The whole of a division, rounded down. */
export function floorDiv(value: Sql, size: number): Sql {
  return sql`intDiv(${floorTo(value, size)}, toInt64(${num(size)}))`
}

/** What is left of a division that is rounded down. */
export function remainder(value: Sql, size: number): Sql {
  return sql`toInt64(positiveModulo(${value}, toInt64(${num(size)})))`
}

/** The day of a moment as one of the engine's; NULL beyond the years that its calendar has. */
export function dayOf(ms: Sql): Sql {
  return sql`if(${ms} BETWEEN ${num(calendarMs.from)} AND ${num(calendarMs.to)}, toDate32(toInt32(${floorDiv(ms, dayMs)})), NULL)`
}

/** Months since the first of the year 1. */
export function monthsOf(ms: Sql): Sql {
  const day = dayOf(ms)
  return sql`(toInt64(toYear(${day})) * 12 + toInt64(toMonth(${day})) - 13)`
}

/** The first moment of a month, of months since the first of the year 1. */
export function msOfMonths(months: Sql): Sql {
  return sql`(toInt64(toInt32(makeDate32(intDiv(${months}, toInt64(12)) + 1, modulo(${months}, toInt64(12)) + 1, 1))) * ${num(dayMs)})`
}
