import { localToUtcMs, type TimeZone, utc } from '../../dates/date-format.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { num, type Sql, sql, str } from '../../sql/sql.ts'
import { addUnits, type DateUnit, floorToUnit, positiveModulo } from './date-units.ts'

/** Buckets of time: by the calendar of a zone or of a fixed length, moved by an offset. */
export interface DateRounding {
  /** The raw key of a moment (epoch milliseconds) as SQL. */
  sql(ms: Sql): Sql
  /** The bucket's start in epoch milliseconds, of a raw key. */
  startOf(raw: number): number
  /** The raw key of the bucket that starts there. */
  rawOf(start: number): number
  /** The start of the bucket a moment lies in. */
  floor(ms: number): number
  /** The start of the bucket after the one that starts there. */
  next(start: number): number
  /** What it rounds to: a length, or a unit of the calendar. */
  readonly step: { readonly ms: number } | CalendarStep
}

/** A unit of the calendar of a zone, whose buckets are moved by an offset in milliseconds. */
export interface CalendarStep {
  readonly unit: DateUnit
  readonly zone: TimeZone
  readonly offset: number
}

const calendarUnits: Readonly<Record<string, DateUnit>> = {
  second: 'second',
  '1s': 'second',
  minute: 'minute',
  '1m': 'minute',
  hour: 'hour',
  '1h': 'hour',
  day: 'day',
  '1d': 'day',
  week: 'week',
  '1w': 'week',
  month: 'month',
  '1M': 'month',
  quarter: 'quarter',
  '1q': 'quarter',
  year: 'year',
  '1y': 'year',
}
const fixedUnitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const quarterHourMs = 900_000
const hourMs = 3_600_000
const dayMs = 86_400_000
/** The epoch began on a Thursday; weeks begin on Monday. */
const weekShiftMs = 3 * dayMs

/** Whether the calendar knows an interval of that name. */
export function isCalendarInterval(interval: string): boolean {
  return Object.hasOwn(calendarUnits, interval)
}

/** Reads `30s`, `1.5h` is refused; throws `illegal_argument_exception`. */
export function fixedIntervalMs(text: string): number {
  const parts = /^([+-]?\d+)(ms|s|m|h|d)$/u.exec(text)
  if (!parts)
    throw illegalArgument(
      `failed to parse setting [date_histogram.fixedInterval] with value [${text}] as a time value: unit is missing or unrecognized`,
    )
  const ms = Number(parts[1]) * (fixedUnitMs[parts[2] ?? ''] ?? 0)
  if (ms <= 0) throw illegalArgument('Zero or negative time interval not supported')
  return ms
}

/** Reads an offset such as `+6h`, `-1d` or `90m`. */
export function offsetMs(given: string | number | undefined): number {
  if (given === undefined) return 0
  if (typeof given === 'number') return given
  const sign = given.startsWith('-') ? -1 : 1
  const text = given.replace(/^[+-]/u, '')
  return text === '0' ? 0 : sign * fixedIntervalMs(text)
}

/** A rounding to calendar units; throws for an unknown interval. */
export function calendarRounding(interval: string, zone: TimeZone, offset: number): DateRounding {
  const unit = isCalendarInterval(interval) ? calendarUnits[interval] : undefined
  if (unit === undefined)
    throw illegalArgument(`The supplied interval [${interval}] could not be parsed as a calendar interval.`)
  const fixedSizes: Partial<Record<DateUnit, number>> = {
    second: 1000,
    minute: 60_000,
    hour: 3_600_000,
    day: dayMs,
    week: 7 * dayMs,
  }
  const size = fixedSizes[unit]
  const shift = unit === 'week' ? weekShiftMs : 0
  const byClock = size !== undefined && (size <= 3_600_000 || zone.fixedOffsetMs !== undefined)
  return {
    sql(ms) {
      if (byClock) return clockFloor(ms, size, zone, offset, shift)
      const local = localSql(ms, zone, offset)
      return size === undefined
        ? monthFloor(local, unit)
        : sql`${local} - positiveModulo(${local} + ${num(shift)}, ${num(size)})`
    },
    startOf: (raw) => (byClock ? raw : localToUtcMs(raw, zone) + offset),
    // A start that clocks skip is shown later than it is by the calendar.
    rawOf: (start) => (byClock ? start : floorToUnit(localOf(start - offset, zone), unit, utc)),
    floor: (ms) => floorToUnit(ms - offset, unit, zone) + offset,
    next: (start) => addUnits(start - offset, 1, unit, zone) + offset,
    step: { unit, zone, offset },
  }
}

/** A rounding to multiples of a length, counted from local midnight of 1970-01-01. */
export function fixedRounding(sizeMs: number, zone: TimeZone, offset: number): DateRounding {
  // Clocks change by whole hours, so that an hour or a part of it is as long on both sides of a change, and each time it comes is a bucket.
  const byClock = zone.fixedOffsetMs !== undefined || hourMs % sizeMs === 0
  const floorLocal = (local: number) => local - positiveModulo(local, sizeMs)
  return {
    sql(ms) {
      if (byClock) return clockFloor(ms, sizeMs, zone, offset, 0)
      const local = localSql(ms, zone, offset)
      return sql`${local} - positiveModulo(${local}, ${num(sizeMs)})`
    },
    startOf: (raw) => (byClock ? raw : localToUtcMs(raw, zone) + offset),
    rawOf: (start) => (byClock ? start : floorLocal(localOf(start - offset, zone))),
    floor(ms) {
      const at = ms - offset
      const local = floorLocal(at + zone.offsetMs(at))
      return (byClock ? local - zone.offsetMs(at) : localToUtcMs(local, zone)) + offset
    },
    next(start) {
      const at = start - offset
      return (byClock ? at + sizeMs : localToUtcMs(at + zone.offsetMs(at) + sizeMs, zone)) + offset
    },
    step: { ms: sizeMs },
  }
}

function localOf(ms: number, zone: TimeZone): number {
  return ms + zone.offsetMs(ms)
}

/** The start in UTC, where the zone's offset does not change within a bucket. */
function clockFloor(ms: Sql, size: number, zone: TimeZone, offset: number, shift: number): Sql {
  const constant = num((zone.fixedOffsetMs ?? 0) - offset + shift)
  const ahead =
    zone.fixedOffsetMs !== undefined || quarterHourMs % size === 0
      ? constant
      : sql`${zoneOffsetSql(ms, zone)} + ${constant}`
  return sql`${ms} - positiveModulo(${ms} + ${ahead}, ${num(size)})`
}

function localSql(ms: Sql, zone: TimeZone, offset: number): Sql {
  const moved = offset === 0 ? ms : sql`(${ms} - ${num(offset)})`
  return zone.fixedOffsetMs === undefined
    ? sql`(${moved} + ${zoneOffsetSql(moved, zone)})`
    : sql`(${moved} + ${num(zone.fixedOffsetMs)})`
}

function zoneOffsetSql(ms: Sql, zone: TimeZone): Sql {
  return sql`timezoneOffset(fromUnixTimestamp64Milli(toInt64(${ms}), ${str(zone.id)})) * 1000`
}

function monthFloor(local: Sql, unit: DateUnit): Sql {
  const date = sql`toDate32(fromUnixTimestamp64Milli(toInt64(${local}), 'UTC'))`
  const month =
    unit === 'year' ? sql`1` : unit === 'quarter' ? sql`intDiv(toMonth(${date}) - 1, 3) * 3 + 1` : sql`toMonth(${date})`
  return sql`toInt64(toInt32(makeDate32(toYear(${date}), ${month}, 1))) * ${num(dayMs)}`
}
