import { AppError, searchErrors } from '@logstack/errors'
import { civilToMs, dayMs, daysFromCivil, daysInMonth, isoWeekday, msToCivil } from './calendar.ts'
import { type DateFormat, dateParseError, type Instant } from './date-format.ts'
import { localToUtcMs, type TimeZone, utc } from './time-zone.ts'

/** What date math is evaluated against. */
export interface DateMathOptions {
  /** Reads the anchor before `||`, or a text without math. */
  readonly format: DateFormat
  readonly nowMs: number
  /** Rounding (`/d`) and missing components go to the last millisecond instead of the first: upper bounds, and `gt`. */
  readonly roundUp?: boolean
  /** Calendar steps and roundings, and anchors without a zone, are of this zone; UTC when absent. */
  readonly zone?: TimeZone
}

const fixedUnitsMs: Readonly<Record<string, number>> = { h: 3_600_000, H: 3_600_000, m: 60_000, s: 1000 }

function failure(reason: string): AppError {
  return new AppError(searchErrors.parse_exception, reason)
}

function addMonths(localMs: number, months: number): number {
  const civil = msToCivil(localMs)
  const count = civil.year * 12 + civil.month - 1 + months
  const year = Math.floor(count / 12)
  const month = count - year * 12 + 1
  return (
    civilToMs({ ...civil, year, month, day: Math.min(civil.day, daysInMonth(year, month)) }) +
    (((localMs % 1000) + 1000) % 1000)
  )
}

function addUnits(ms: number, unit: string, count: number, zone: TimeZone): number {
  const fixed = fixedUnitsMs[unit]
  if (fixed !== undefined) return ms + fixed * count
  const local = ms + zone.offsetMs(ms)
  if (unit === 'd') return localToUtcMs(local + count * dayMs, zone)
  if (unit === 'w') return localToUtcMs(local + count * 7 * dayMs, zone)
  return localToUtcMs(addMonths(local, unit === 'y' ? count * 12 : count), zone)
}

function startOf(ms: number, unit: string, zone: TimeZone): number {
  const local = ms + zone.offsetMs(ms)
  const fixed = fixedUnitsMs[unit]
  if (fixed !== undefined) return ms - (((local % fixed) + fixed) % fixed)
  const day = Math.floor(local / dayMs)
  if (unit === 'd') return localToUtcMs(day * dayMs, zone)
  if (unit === 'w') return localToUtcMs((day - isoWeekday(day) + 1) * dayMs, zone)
  const civil = msToCivil(local)
  return localToUtcMs(daysFromCivil(civil.year, unit === 'y' ? 1 : civil.month, 1) * dayMs, zone)
}

function applyMath(math: string, start: number, zone: TimeZone, roundUp: boolean): number {
  let ms = start
  let at = 0
  while (at < math.length) {
    const operator = math.charAt(at++)
    if (operator !== '/' && operator !== '+' && operator !== '-')
      throw failure(`operator not supported for date math [${math}]`)
    const digits = /^\d*/.exec(math.slice(at))?.[0] ?? ''
    at += digits.length
    if (at >= math.length) throw failure(`truncated date math [${math}]`)
    const count = digits === '' ? 1 : Number(digits)
    const unit = math.charAt(at++)
    if (!'yMwdhHms'.includes(unit)) throw failure(`unit [${unit}] not supported for date math [${math}]`)
    if (operator === '/') {
      if (count !== 1) throw failure(`rounding \`/\` can only be used on single unit types [${math}]`)
      ms = startOf(ms, unit, zone)
      if (roundUp) ms = addUnits(ms, unit, 1, zone) - 1
    } else ms = addUnits(ms, unit, operator === '+' ? count : -count, zone)
    if (!(Math.abs(ms) <= 8.64e15)) throw failure(`date math [${math}] leads out of the range of dates`)
  }
  return ms
}

/**
 * The moment an expression names: `now-1d/d`, `2026-11-21||+1M/M`, or a plain date in the format. Throws `parse_exception` for bad math and
 * for a date that does not fit the format.
 */
export function evaluateDateMath(text: string, options: DateMathOptions): Instant {
  const zone = options.zone ?? utc
  const roundUp = options.roundUp === true
  if (text.startsWith('now')) return { ms: applyMath(text.slice(3), options.nowMs, zone, roundUp), nanos: 0 }
  const split = text.indexOf('||')
  const anchor = split < 0 ? text : text.slice(0, split)
  const instant = options.format.parse(anchor, { roundUp: roundUp && split < 0, zone })
  if (instant === undefined) {
    const cause = dateParseError(anchor, options.format)
    const reason = `failed to parse date field [${anchor}] with format [${options.format.pattern}]: [${cause.message}]`
    throw new AppError(searchErrors.parse_exception, reason, { cause })
  }
  if (split < 0) return instant
  const math = text.slice(split + 2)
  return math === '' ? instant : { ms: applyMath(math, instant.ms, zone, roundUp), nanos: roundUp ? 0 : instant.nanos }
}
