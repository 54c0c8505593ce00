/** A width of time buckets, as `fixed_interval` or `calendar_interval`. */
export interface Interval {
  readonly text: string
  readonly ms: number
  readonly calendar: boolean
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const fixed = (text: string, ms: number): Interval => ({ text, ms, calendar: false })
const calendar = (text: string, ms: number): Interval => ({ text, ms, calendar: true })

// The smallest bound above range/50 chooses the width (the table of saved-object dashboards, so that imported ones look the same).
const automatic: readonly (readonly [boundMs: number, interval: Interval])[] = [
  [500, fixed('100ms', 100)],
  [5 * second, fixed('1s', second)],
  [7.5 * second, fixed('5s', 5 * second)],
  [15 * second, fixed('10s', 10 * second)],
  [45 * second, fixed('30s', 30 * second)],
  [3 * minute, fixed('1m', minute)],
  [9 * minute, fixed('5m', 5 * minute)],
  [20 * minute, fixed('10m', 10 * minute)],
  [45 * minute, fixed('30m', 30 * minute)],
  [2 * hour, fixed('1h', hour)],
  [6 * hour, fixed('3h', 3 * hour)],
  [24 * hour, fixed('12h', 12 * hour)],
  [7 * day, calendar('1d', day)],
  [21 * day, calendar('1w', 7 * day)],
  [365 * day, calendar('1M', 30 * day)],
]

/** The width for about fifty buckets over a range. */
export function automaticInterval(rangeMs: number, buckets = 50): Interval {
  const targetMs = rangeMs / buckets
  const found = automatic.find(([boundMs]) => boundMs > targetMs)
  return found ? found[1] : calendar('1y', 365 * day)
}

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: second,
  m: minute,
  h: hour,
  d: day,
  w: 7 * day,
  M: 30 * day,
  y: 365 * day,
}
const names: Readonly<Record<string, string>> = {
  second: '1s',
  minute: '1m',
  hour: '1h',
  day: '1d',
  week: '1w',
  month: '1M',
  year: '1y',
}

/** Reads a saved interval (`30s`, `1d`, `d`, `day`); `auto` and what cannot be read are automatic for the range. */
export function intervalOf(saved: string | undefined, rangeMs: number): Interval {
  const text = names[saved ?? ''] ?? (/^[smhdwMy]$/.test(saved ?? '') ? `1${saved}` : (saved ?? 'auto'))
  const found = /^(\d+)(ms|[smhdwMy])$/.exec(text)
  const ms = found ? Number(found[1]) * (unitMs[found[2] ?? 's'] ?? 0) : 0
  if (!found || ms <= 0) return automaticInterval(rangeMs)
  const isCalendar = found[1] === '1' && /^[dwMy]$/.test(found[2] ?? '')
  if (!isCalendar && /^[wMy]$/.test(found[2] ?? '')) return fixed(`${ms / day}d`, ms)
  return { text, ms, calendar: isCalendar }
}

const wholeUnits = [
  ['day', day],
  ['hour', hour],
  ['minute', minute],
  ['second', second],
  ['millisecond', 1],
] as const

/** A width in words, by its largest whole unit: `30 minutes`, `day`, `week`. */
export function intervalName({ text, ms }: Interval): string {
  const named = Object.entries(names).find(([, spelling]) => spelling === text)
  if (named) return named[0]
  if (ms === 7 * day) return 'week'
  const [unit, size] = wholeUnits.find(([, size]) => ms % size === 0) ?? ['millisecond', 1]
  return ms === size ? unit : `${ms / size} ${unit}s`
}

/** The parameters of a `date_histogram` for an interval, in the browser's zone. */
export function dateHistogram(field: string, interval: Interval): Record<string, unknown> {
  const width = interval.calendar ? { calendar_interval: interval.text } : { fixed_interval: interval.text }
  return { field, ...width, time_zone: browserTimeZone() }
}

/** The browser's IANA zone. */
export function browserTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
}
