import { boundedRegExp } from '@logstack/rules'
import { civilToMs, daysInMonth, type WeekRules } from './calendar.ts'
import { findTimeZone, localToUtcMs, type TimeZone, utc } from './time-zone.ts'

/** A moment: epoch milliseconds, and the nanoseconds (0 to 999,999) within that millisecond. */
export interface Instant {
  readonly ms: number
  readonly nanos: number
}

/** How a text without all components is completed. */
export interface ParseOptions {
  /** A missing time is the last moment of its day, not the first; a missing month or day is the first all the same (`lte: "2026"` ends with 1 January). */
  readonly roundUp?: boolean
  /** For texts that name no zone; UTC when absent. */
  readonly zone?: TimeZone
  /** For texts that name a week; ISO weeks when absent. */
  readonly weeks?: WeekRules
}

/** Components a format found in a text; undefined where the text had none. */
export interface FoundParts {
  readonly year?: number | undefined
  readonly month?: number | undefined
  readonly day?: number | undefined
  readonly hour?: number | undefined
  readonly minute?: number | undefined
  readonly second?: number | undefined
  /** Nanoseconds of the second. */
  readonly nanos?: number | undefined
  readonly zone?: TimeZone | undefined
}

/** Completes and checks components; undefined when one is out of range (`2026-02-30`). */
export function instantOf(found: FoundParts, options: ParseOptions = {}): Instant | undefined {
  const up = options.roundUp === true
  const year = found.year ?? 1970
  const month = found.month ?? 1
  if (month < 1 || month > 12) return undefined
  const day = found.day ?? 1
  if (day < 1 || day > daysInMonth(year, month)) return undefined
  const hour = found.hour ?? (up ? 23 : 0)
  const minute = found.minute ?? (up ? 59 : 0)
  const second = found.second ?? (up ? 59 : 0)
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const nanos = found.nanos ?? (up ? 999_999_999 : 0)
  const local = civilToMs({ year, month, day, hour, minute, second })
  const zone = found.zone ?? options.zone ?? utc
  const ms = zone === utc ? local : localToUtcMs(local, zone)
  if (Math.abs(ms) > 8.64e15) return undefined
  return { ms: ms + Math.floor(nanos / 1_000_000), nanos: nanos % 1_000_000 }
}

function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at) - 48
  return code >= 0 && code <= 9 ? code : -1
}

function twoDigits(text: string, at: number): number {
  const [tens, units] = [digitAt(text, at), digitAt(text, at + 1)]
  return tens < 0 || units < 0 ? -1 : tens * 10 + units
}

/**
 * Epoch milliseconds of the one form that nearly every log has, `2026-11-21T10:11:12[.123]Z`; NaN for every other form, valid or not.
 * No allocation: this is the ingest path.
 */
export function fastIsoMs(text: string): number {
  const millis = text.length === 24
  if ((!millis && text.length !== 20) || text.charCodeAt(text.length - 1) !== 90) return Number.NaN
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45 || text.charCodeAt(10) !== 84) return Number.NaN
  if (text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58) return Number.NaN
  const century = twoDigits(text, 0)
  const year = twoDigits(text, 2)
  const month = twoDigits(text, 5)
  const day = twoDigits(text, 8)
  const hour = twoDigits(text, 11)
  const minute = twoDigits(text, 14)
  const second = twoDigits(text, 17)
  if (century < 1 || year < 0 || month < 1 || month > 12 || day < 1 || hour < 0 || hour > 23) return Number.NaN
  if (minute < 0 || minute > 59 || second < 0 || second > 59) return Number.NaN
  const fullYear = century * 100 + year
  if (day > 28 && day > daysInMonth(fullYear, month)) return Number.NaN
  const ms = Date.UTC(fullYear, month - 1, day, hour, minute, second)
  if (!millis) return ms
  const fraction = twoDigits(text, 20) * 10 + digitAt(text, 22)
  return text.charCodeAt(19) !== 46 ||
    fraction < 0 ||
    digitAt(text, 22) < 0 ||
    digitAt(text, 20) < 0 ||
    digitAt(text, 21) < 0
    ? Number.NaN
    : ms + fraction
}

const zoneText = '(Z|[+-]\\d{2}(?::?\\d{2}(?::?\\d{2})?)?|[A-Za-z][A-Za-z0-9_+\\-/:]*)?'
const strictForm = boundedRegExp(
  `^(\\d{4}|[+-]\\d{4,9})(?:-(\\d{2})(?:-(\\d{2}))?)?(?:T(?:(\\d{2})(?::(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)?)?${zoneText})?)?$`,
  '',
)
const lenientForm = boundedRegExp(
  `^([+-]?\\d{1,9})(?:-(\\d{1,2})(?:-(\\d{1,2}))?)?(?:T(?:(\\d{1,2})(?::(\\d{1,2})(?::(\\d{1,2})(?:[.,](\\d{1,9}))?)?)?${zoneText})?)?$`,
  '',
)

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

/** Nanoseconds of the second from the digits after the point. */
export function fractionNanos(digits: string): number {
  return Number(digits.padEnd(9, '0'))
}

/** Reads `date_optional_time` (`strict`: with all digits): a date from the year on, and a time behind `T`. Undefined when it is none. */
export function parseIsoDate(text: string, strict: boolean, options?: ParseOptions): Instant | undefined {
  const found = (strict ? strictForm : lenientForm).exec(text)
  if (found === null) return undefined
  const zone = found[8] === undefined ? undefined : findTimeZone(found[8])
  if (found[8] !== undefined && zone === undefined) return undefined
  const parts = {
    year: numberOf(found[1]),
    month: numberOf(found[2]),
    day: numberOf(found[3]),
    hour: numberOf(found[4]),
    minute: numberOf(found[5]),
    second: numberOf(found[6]),
    nanos: found[7] === undefined ? undefined : fractionNanos(found[7]),
    zone,
  }
  return instantOf(parts, options)
}
