import { localToUtcMs, type TimeZone } from '../../dates/date-format.ts'

/** Calendar and clock units of date math and of calendar intervals. */
export type DateUnit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year'

const fixedMs: Partial<Record<DateUnit, number>> = { second: 1000, minute: 60_000, hour: 3_600_000 }

/** The start of the unit that a moment lies in, in the zone's calendar; weeks start on Monday. */
export function floorToUnit(utcMs: number, unit: DateUnit, zone: TimeZone): number {
  const size = fixedMs[unit]
  if (size !== undefined) {
    const offset = zone.offsetMs(utcMs)
    return utcMs - positiveModulo(utcMs + offset, size)
  }
  return localToUtcMs(floorLocal(utcMs + zone.offsetMs(utcMs), unit), zone)
}

function floorLocal(localMs: number, unit: DateUnit): number {
  const date = new Date(localMs)
  const day = Math.floor(localMs / 86_400_000)
  switch (unit) {
    case 'week':
      return (day - positiveModulo(day + 3, 7)) * 86_400_000
    case 'month':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
    case 'quarter':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - (date.getUTCMonth() % 3), 1)
    case 'year':
      return Date.UTC(date.getUTCFullYear(), 0, 1)
    default:
      return day * 86_400_000
  }
}

/** A moment moved by whole units; from day on by the calendar of the zone, months clip to their last day. */
export function addUnits(utcMs: number, amount: number, unit: DateUnit, zone: TimeZone): number {
  const size = fixedMs[unit]
  if (size !== undefined) return utcMs + amount * size
  const local = utcMs + zone.offsetMs(utcMs)
  if (unit === 'day' || unit === 'week')
    return localToUtcMs(local + amount * (unit === 'day' ? 1 : 7) * 86_400_000, zone)
  const date = new Date(local)
  const months = amount * (unit === 'month' ? 1 : unit === 'quarter' ? 3 : 12)
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)
  const target = new Date(first)
  const lastDay = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate()
  const clipped = first + (Math.min(date.getUTCDate(), lastDay) - 1) * 86_400_000
  return localToUtcMs(clipped + positiveModulo(local, 86_400_000), zone)
}

/** The remainder that is never negative. */
export function positiveModulo(value: number, size: number): number {
  return ((value % size) + size) % size
}
