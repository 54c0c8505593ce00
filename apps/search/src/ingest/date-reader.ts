import type { WeekRules } from '../dates/calendar.ts'
import { dateFormat, type Instant, type TimeZone, timeZone } from '../dates/date-format.ts'

/** Reads a text as a moment; what it does not say is taken from the zone and from now. Undefined when it does not fit. */
export type ReadDate = (text: string, zone: TimeZone, nowMs: number) => Instant | undefined

// Seconds between the origin of TAI64 and 1970 in UTC.
const taiOffsetSeconds = 10n

function readTai64n(text: string): Instant | undefined {
  const found = /^@?([0-9a-f]{16})([0-9a-f]{8})$/i.exec(text)
  if (!found) return undefined
  const seconds = BigInt(`0x${found[1]}`) - 0x4000000000000000n - taiOffsetSeconds
  const nanos = Number(`0x${found[2]}`)
  return { ms: Number(seconds) * 1000 + Math.floor(nanos / 1_000_000), nanos: nanos % 1_000_000 }
}

function readEpoch(factor: number): ReadDate {
  return (text) => {
    // A number of a document comes as Java prints it: from 10^7 on with a power of ten.
    if (!/^-?\d+(\.\d+)?(E-?\d+)?$/.test(text.trim())) return undefined
    return { ms: Math.round(Number(text) * factor), nanos: 0 }
  }
}

/** The reader of `ISO8601`, `UNIX`, `UNIX_MS`, `TAI64N` or a `java.time` pattern. Throws `illegal_argument_exception` for an unknown pattern. */
export function dateReader(format: string, weeks?: WeekRules): ReadDate {
  if (format === 'UNIX') return readEpoch(1000)
  if (format === 'UNIX_MS') return readEpoch(1)
  if (format === 'TAI64N') return readTai64n
  const iso = format === 'ISO8601'
  const hasYear = iso || /[yuY]/.test(format.replace(/'[^']*'/g, '')) || /^[a-z_0-9]+$/.test(format)
  // A date without a year is one of this year.
  const pattern = dateFormat(iso ? 'date_optional_time' : hasYear ? format : `yyyy ${format}`)
  return (text, zone, nowMs) => {
    const full = iso ? text.replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, '$1T') : text
    const year = new Date(nowMs + zone.offsetMs(nowMs)).getUTCFullYear()
    return pattern.parse(hasYear ? full : `${year} ${full}`, { zone, ...(weeks ? { weeks } : {}) })
  }
}

/** The weeks of a locale that names a region (`en-US`: from Sunday on); undefined, ISO weeks, for all others. */
export function weeksOf(locale: string): WeekRules | undefined {
  const tag = locale.replaceAll('_', '-')
  if (!/^[a-z]{2,3}-[a-z]{2}$/i.test(tag)) return undefined
  // A member in Node 20, a method in later ones; TypeScript knows neither.
  const known = new Intl.Locale(tag) as Intl.Locale & { weekInfo?: WeekRules; getWeekInfo?: () => WeekRules }
  return known.getWeekInfo?.() ?? known.weekInfo
}

/** The zone of that name. Throws `illegal_argument_exception`. */
export function zoneNamed(name: string): TimeZone {
  return timeZone(name)
}
