import { ownText } from './own-text.ts'
import { zoneOffsetMs } from './time-zone.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const classic = /^([A-Z][a-z]{2}) {1,2}(\d{1,2})(?: (\d{4}))? (\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?$/
const dayMs = 86_400_000

/** How to read a time that does not say its year or zone. */
export interface TimeContext {
  /** Milliseconds since 1970: the year that puts a time nearest before this (at most a day after) is taken. */
  readonly now: number
  /** `+02:00`, or `Europe/Berlin`; UTC when absent. */
  readonly timezone?: string | undefined
}

/** Times without a year, by zone and text, as they were read last: a second is read again and again by whoever reads many messages. */
const known = new Map<string, Map<string, { readonly time: number; readonly iso: string; readonly readAt: number }>>()
const knownMax = 1_000
/** Shorter than each year: whoever is no older than this is of the latest year that is not in the future. */
const surelySameYearMs = 364 * dayMs
const surelySameHourMs = 10 * 60_000

/** Turns a syslog time (`Nov 21 10:00:00`, or ISO 8601) into ISO 8601 in UTC; undefined for what is no time. */
export function resolveTimestamp(text: string, context: TimeContext): string | undefined {
  const before = known.get(context.timezone ?? '')?.get(text)
  if (before) {
    const age = context.now + dayMs - before.time
    // A named zone shows one hour of the year twice.
    const isSame = isOffset(context.timezone) || Math.abs(context.now - before.readAt) < surelySameHourMs
    if (isSame && age >= 0 && age < surelySameYearMs) return before.iso
  }
  const parts = classic.exec(text)
  if (!parts) return resolveIso(text, context)
  const time = resolveClassic(parts, context)
  const iso = time === undefined ? undefined : isoOf(time)
  if (time !== undefined && iso !== undefined && parts[3] === undefined) remember(text, context, { time, iso })
  return iso
}

function isOffset(timezone: string | undefined): boolean {
  return timezone === undefined || /^[Z+-]/.test(timezone)
}

function remember(text: string, { timezone = '', now }: TimeContext, read: { time: number; iso: string }): void {
  const ofZone = known.get(timezone) ?? new Map<string, { time: number; iso: string; readAt: number }>()
  if (ofZone.size >= knownMax) ofZone.clear()
  if (known.size >= knownMax) known.clear()
  known.set(timezone, ofZone.set(ownText(text), { readAt: now, ...read }))
}

function resolveIso(text: string, context: TimeContext): string | undefined {
  const iso = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(Z|[+-]\d{2}:?\d{2})?$/.exec(text)
  if (!iso) return undefined
  const withZone = iso[1] ? text : `${text}Z`
  const time = Date.parse(
    withZone
      .replace(/(T| )(\d{2}:\d{2}):60/, '$1$2:59')
      .replace(' ', 'T')
      .replace(',', '.')
      .replace(/([+-]\d{2})(\d{2})$/, '$1:$2'),
  )
  return isoOf(iso[1] ? time : time - (zoneOffsetMs(context.timezone, time, context.now) ?? Number.NaN))
}

function resolveClassic(parts: RegExpExecArray, context: TimeContext): number | undefined {
  const [, monthName = '', day = '', year, hours, minutes, seconds, fraction = ''] = parts
  const month = months.indexOf(monthName)
  const inDay = timeInDayMs(Number(hours), Number(minutes), Number(seconds), fraction)
  if (month < 0 || Number(day) < 1 || Number(day) > 31 || inDay === undefined) return undefined
  const at = (wanted: number): number => {
    const local = Date.UTC(wanted, month, Number(day)) + inDay
    return local - (zoneOffsetMs(context.timezone, local, context.now) ?? Number.NaN)
  }
  if (year) return at(Number(year))
  const thisYear = new Date(context.now).getUTCFullYear()
  const latest = context.now + dayMs
  // 31 December seen on 1 January is last year's; a clock a little ahead is not. Only on the year's last days the next one has begun somewhere.
  const nextYear = new Date(latest + dayMs).getUTCFullYear() > thisYear ? at(thisYear + 1) : Number.NaN
  if (nextYear <= latest) return nextYear
  const time = at(thisYear)
  return time <= latest ? time : at(thisYear - 1)
}

/** Milliseconds since midnight; undefined for what no clock shows. Midnight may be written as the end of its day, and a leap second is the one before it. */
function timeInDayMs(hours: number, minutes: number, seconds: number, fraction: string): number | undefined {
  if (hours > 24 || minutes > 59 || seconds > 60) return undefined
  const ms = fraction === '' ? 0 : Number(fraction.slice(0, 3).padEnd(3, '0'))
  if (hours === 24 && minutes + seconds + ms > 0) return undefined
  return ((hours * 60 + minutes) * 60 + Math.min(seconds, 59)) * 1000 + ms
}

function isoOf(time: number): string | undefined {
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}
