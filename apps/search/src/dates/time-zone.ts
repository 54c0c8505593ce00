import { AppError, searchErrors } from '@logstack/errors'
import { civilToMs } from './calendar.ts'

const fixedOffset = /^(?:UTC|GMT|UT)?([+-])(\d{1,2})(?::?(\d{2}))?(?::?(\d{2}))?$/

/** A time zone: its offset from UTC at a moment, in milliseconds, east positive. */
export interface TimeZone {
  /** As Java prints it: `Z`, `+01:00`, `Europe/Berlin`. */
  readonly id: string
  /** Set when the offset never changes. */
  readonly fixedOffsetMs: number | undefined
  offsetMs(utcMs: number): number
}

/** Coordinated Universal Time. */
export const utc: TimeZone = { id: 'Z', fixedOffsetMs: 0, offsetMs: () => 0 }

/** `Z`, `+01:00` or `+01:00:30`. */
export function offsetText(offsetMs: number, separator: ':' | '' = ':'): string {
  if (offsetMs === 0) return 'Z'
  const seconds = Math.abs(offsetMs) / 1000
  const part = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const tail = seconds % 60 === 0 ? '' : separator + part(seconds % 60)
  return (offsetMs < 0 ? '-' : '+') + part(seconds / 3600) + separator + part((seconds / 60) % 60) + tail
}

function fixedZone(match: RegExpExecArray): TimeZone | undefined {
  const [hours, minutes, seconds] = [Number(match[2]), Number(match[3] ?? 0), Number(match[4] ?? 0)]
  if (hours > 18 || minutes > 59 || seconds > 59) return undefined
  const offset = (match[1] === '-' ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds) * 1000
  return offset === 0 ? utc : { id: offsetText(offset), fixedOffsetMs: offset, offsetMs: () => offset }
}

function namedZone(name: string): TimeZone | undefined {
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined
    throw thrown
  }
  // Offsets change at whole quarters of an hour; asking Intl once for each keeps a histogram over years cheap.
  const offsets = new Map<number, number>()
  const quarterMs = 900_000
  const offsetMs = (utcMs: number): number => {
    const quarter = Math.floor(utcMs / quarterMs)
    const known = offsets.get(quarter)
    if (known !== undefined) return known
    const offset = wallClockMs(format, quarter * quarterMs) - quarter * quarterMs
    if (offsets.size >= 100_000) offsets.clear()
    offsets.set(quarter, offset)
    return offset
  }
  return { id: name, fixedOffsetMs: undefined, offsetMs }
}

function wallClockMs(format: Intl.DateTimeFormat, utcMs: number): number {
  const parts = new Map(format.formatToParts(utcMs).map((part) => [part.type, part.value]))
  const number = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type))
  const year = parts.get('era') === 'BC' ? 1 - number('year') : number('year')
  return civilToMs({
    year,
    month: number('month'),
    day: number('day'),
    hour: number('hour'),
    minute: number('minute'),
    second: number('second'),
  })
}

const zones = new Map<string, TimeZone | undefined>()

/** The zone of that name, offset or abbreviation; undefined when there is none. */
export function findTimeZone(id: string): TimeZone | undefined {
  if (id === 'Z' || id === 'UTC' || id === 'GMT' || id === 'z') return utc
  if (zones.has(id)) return zones.get(id)
  const fixed = fixedOffset.exec(id)
  const zone = fixed ? fixedZone(fixed) : namedZone(id)
  if (zones.size >= 1000) zones.clear()
  zones.set(id, zone)
  return zone
}

/** The regions that short names of zones stand for: whether summer time holds there is told by the date, not by the name, as in Java. */
const regions: Readonly<Record<string, readonly string[]>> = {
  'America/New_York': ['EST', 'EDT'],
  'America/Chicago': ['CST', 'CDT'],
  'America/Denver': ['MST', 'MDT'],
  'America/Los_Angeles': ['PST', 'PDT'],
  'America/Anchorage': ['AKST', 'AKDT'],
  'Pacific/Honolulu': ['HST'],
  'America/Halifax': ['AST', 'ADT'],
  'America/St_Johns': ['NST', 'NDT'],
  'America/Sao_Paulo': ['BRT', 'BRST'],
  'America/Argentina/Buenos_Aires': ['ART'],
  'Europe/London': ['BST'],
  'Europe/Lisbon': ['WET', 'WEST'],
  'Europe/Paris': ['CET', 'CEST', 'MET', 'MEST'],
  'Europe/Athens': ['EET', 'EEST'],
  'Europe/Moscow': ['MSK', 'MSD'],
  'Africa/Lagos': ['WAT'],
  'Africa/Maputo': ['CAT'],
  'Africa/Nairobi': ['EAT'],
  'Africa/Johannesburg': ['SAST'],
  'Asia/Karachi': ['PKT'],
  'Asia/Kolkata': ['IST'],
  'Asia/Shanghai': ['CTT'],
  'Asia/Hong_Kong': ['HKT'],
  'Asia/Singapore': ['SGT'],
  'Asia/Tokyo': ['JST'],
  'Asia/Seoul': ['KST'],
  'Australia/Perth': ['AWST', 'AWDT'],
  'Australia/Adelaide': ['ACST', 'ACDT'],
  'Australia/Sydney': ['AEST', 'AEDT'],
  'Pacific/Auckland': ['NZST', 'NZDT'],
}
const regionOf = new Map(Object.entries(regions).flatMap(([region, names]) => names.map((name) => [name, region])))

/** The zone that a date names by an offset, a region, or a short name such as `CEST`; undefined when there is none. */
export function zoneInDate(text: string): TimeZone | undefined {
  return findTimeZone(regionOf.get(text.toUpperCase()) ?? text)
}

/** The zone of that name; throws `zone_rules_exception` when there is none. */
export function timeZone(id: string): TimeZone {
  const zone = findTimeZone(id)
  if (zone === undefined) throw new AppError(searchErrors.zone_rules_exception, `Unknown time-zone ID: ${id}`)
  return zone
}

/** The moment at which a zone's clock shows `localMs` (read as if UTC); in a gap the later clock is taken, in an overlap the earlier moment. */
export function localToUtcMs(localMs: number, zone: TimeZone): number {
  if (zone.fixedOffsetMs !== undefined) return localMs - zone.fixedOffsetMs
  const before = zone.offsetMs(localMs - 86_400_000)
  const candidate = localMs - before
  if (zone.offsetMs(candidate) === before) return candidate
  const after = zone.offsetMs(localMs + 86_400_000)
  return zone.offsetMs(localMs - after) === after ? localMs - after : candidate
}
