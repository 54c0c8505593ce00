import { isDateMath, resolveDateMath } from './date-math.ts'

/** A time range as people choose it: date math or ISO 8601 instants. */
export interface TimeRange {
  readonly from: string
  readonly to: string
}

/** A range of instants, fixed for one round of requests. */
export interface ResolvedRange {
  readonly fromMs: number
  readonly toMs: number
}

/** A range that is one click away. */
export interface QuickRange extends TimeRange {
  readonly label: string
}

/** The range of a page that names none. */
export const defaultRange: TimeRange = { from: 'now-15m', to: 'now' }

/** The quick ranges, in two columns of use. */
export const quickRanges: readonly QuickRange[] = [
  { from: 'now-15m', to: 'now', label: 'Last 15 minutes' },
  { from: 'now-30m', to: 'now', label: 'Last 30 minutes' },
  { from: 'now-1h', to: 'now', label: 'Last 1 hour' },
  { from: 'now-4h', to: 'now', label: 'Last 4 hours' },
  { from: 'now-12h', to: 'now', label: 'Last 12 hours' },
  { from: 'now-24h', to: 'now', label: 'Last 24 hours' },
  { from: 'now/d', to: 'now/d', label: 'Today' },
  { from: 'now-1d/d', to: 'now-1d/d', label: 'Yesterday' },
  { from: 'now/w', to: 'now/w', label: 'This week' },
  { from: 'now-7d', to: 'now', label: 'Last 7 days' },
  { from: 'now-30d', to: 'now', label: 'Last 30 days' },
  { from: 'now-90d', to: 'now', label: 'Last 90 days' },
  { from: 'now-1y', to: 'now', label: 'Last 1 year' },
]

/** The instants of a range now; a range that ends before it starts is turned round, one that cannot be read is the default. */
export function resolveRange(range: TimeRange, now: Date): ResolvedRange {
  const valid = isDateMath(range.from) && isDateMath(range.to) ? range : defaultRange
  const fromMs = resolveDateMath(valid.from, { now }).getTime()
  const toMs = resolveDateMath(valid.to, { now, roundUp: true }).getTime()
  return fromMs <= toMs ? { fromMs, toMs } : { fromMs: toMs, toMs: fromMs }
}

const unitNames: Readonly<Record<string, string>> = {
  s: 'second',
  m: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  M: 'month',
  y: 'year',
}

/** A range in words: its quick name, `Last 3 hours`, or both ends. */
export function describeRange(range: TimeRange): string {
  const quick = quickRanges.find(({ from, to }) => from === range.from && to === range.to)
  if (quick) return quick.label
  const relative = /^now-(\d+)([smhdwMy])$/.exec(range.from)
  if (relative && range.to === 'now') {
    const [, amount = '1', unit = 'm'] = relative
    return `Last ${amount} ${unitNames[unit] ?? unit}${amount === '1' ? '' : 's'}`
  }
  return `${describeEnd(range.from)} → ${describeEnd(range.to)}`
}

function describeEnd(text: string): string {
  if (text.startsWith('now')) return text
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? text : formatInstant(date.getTime())
}

/** An instant as people read it, in the browser's zone: `2026-11-21 10:28:20.123`. */
export function formatInstant(ms: number): string {
  const date = new Date(ms)
  if (Number.isNaN(date.getTime())) return ''
  const pad = (value: number, length = 2): string => String(value).padStart(length, '0')
  const time = `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}.${pad(date.getMilliseconds(), 3)}`
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())} ${time}`
}
