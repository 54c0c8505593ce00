import { automaticInterval, type Interval, intervalOf } from '../../../../time/interval.ts'
import type { ResolvedRange } from '../../../../time/time-range.ts'
import { limits } from './limits.ts'
import { TimelionError } from './tree.ts'

/** The moments that a chart has points at, all over its range. */
export interface TimeFrame {
  readonly range: ResolvedRange
  readonly interval: Interval
  /** Starts of buckets, the first at or before the range's own. */
  readonly instants: readonly number[]
}

// As Kibana has it (`timelion:target_buckets`).
const bucketsWanted = 200

/** The frame of a range in buckets of an interval, which may be `auto`. Throws `TimelionError` for what is no interval and for too many buckets. */
export function timeFrame(range: ResolvedRange, saved: string | undefined): TimeFrame {
  const spanMs = range.toMs - range.fromMs
  const interval =
    saved === undefined || saved === '' || saved === 'auto'
      ? automaticInterval(spanMs, bucketsWanted)
      : readInterval(saved)
  boundBuckets(spanMs, interval)
  const instants: number[] = []
  for (let ms = startOf(range.fromMs, interval); ms < range.toMs || instants.length === 0; ms = next(ms, interval))
    instants.push(ms)
  return { range, interval, instants }
}

/** Refuses so many buckets that search and browser would stand still. */
export function boundBuckets(spanMs: number, interval: Interval): void {
  const count = Math.round(spanMs / interval.ms)
  if (count <= limits.buckets) return
  const told = `${count} of ${limits.buckets} allowed`
  throw new TimelionError(
    `Too many points of time (${told}): choose a larger interval than ${interval.text}, or a shorter time range`,
  )
}

/** Reads an interval: `5m`, `1d`, `M`, `2 hours`. Throws `TimelionError` for what is none. */
export function readInterval(text: string): Interval {
  const [, amount = '', unit = ''] = /^(\d*)\s*([a-zA-Z]+)$/.exec(text.trim()) ?? []
  const letter = unitLetters[unit] ?? unitLetters[unit.toLowerCase().replace(/s$/, '')]
  if (letter === undefined || Number(amount || 1) === 0)
    throw new TimelionError(`“${text}” is no interval: 30s, 5m, 1h, 1d, 1w, 1M and 1y are`)
  return intervalOf(`${Number(amount || 1)}${letter}`, 0)
}

const unitLetters: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['ms', 's', 'm', 'h', 'd', 'w', 'M', 'y'].map((letter) => [letter, letter])),
  millisecond: 'ms',
  second: 's',
  sec: 's',
  minute: 'm',
  min: 'm',
  hour: 'h',
  day: 'd',
  week: 'w',
  month: 'M',
  year: 'y',
}

/** The start of the bucket that a moment lies in, in the browser's zone, as search has it. */
function startOf(ms: number, { ms: widthMs, calendar, text }: Interval): number {
  const date = new Date(ms)
  if (!calendar) {
    const zoneMs = -date.getTimezoneOffset() * 60_000
    return Math.floor((ms + zoneMs) / widthMs) * widthMs - zoneMs
  }
  date.setHours(0, 0, 0, 0)
  if (text.endsWith('w')) date.setDate(date.getDate() - ((date.getDay() + 6) % 7))
  if (text.endsWith('M') || text.endsWith('y')) date.setDate(1)
  if (text.endsWith('y')) date.setMonth(0)
  return date.getTime()
}

function next(ms: number, { ms: widthMs, calendar, text }: Interval): number {
  return calendar ? moved(ms, 1, text.slice(-1)) : ms + widthMs
}

/** How far a series is moved: milliseconds to and fro. */
export interface Offset {
  /** A moment of the chart as one of the documents. */
  there(ms: number): number
  /** And back. */
  back(ms: number): number
}

/** Reads an offset: `-1w`, `+2h`, or `timerange:-1` for as much as the range is long. Throws `TimelionError` for what is none. */
export function readOffset(text: string, { fromMs, toMs }: ResolvedRange): Offset {
  const [, share] = /^timerange:(-\d+(?:\.\d+)?)$/.exec(text) ?? []
  if (share !== undefined) {
    const shiftMs = Math.round(((toMs - fromMs) / 1000) * Number(share)) * 1000
    return bounded(text, fromMs, { there: (ms) => ms + shiftMs, back: (ms) => ms - shiftMs })
  }
  const [, sign, digits, unit = ''] = /^([-+])(\d+)([smhdwMy])$/.exec(text) ?? []
  if (digits === undefined)
    throw new TimelionError(`“${text}” is no offset: -1h, -1d, -1w, -1M, +30m and timerange:-1 are`)
  const amount = Number(`${sign}${digits}`)
  return bounded(text, fromMs, { there: (ms) => moved(ms, amount, unit), back: (ms) => moved(ms, -amount, unit) })
}

function bounded(text: string, fromMs: number, offset: Offset): Offset {
  if (Number.isNaN(new Date(offset.there(fromMs)).getTime()))
    throw new TimelionError(`The offset “${text}” leads beyond all dates`)
  return offset
}

const fixedMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 }

/** A moment moved by so many units; days and what is longer are the calendar's, and the last of a month stays in the month. */
function moved(ms: number, amount: number, unit: string): number {
  const width = fixedMs[unit]
  if (width !== undefined) return ms + amount * width
  const date = new Date(ms)
  if (unit === 'd' || unit === 'w') {
    date.setDate(date.getDate() + amount * (unit === 'w' ? 7 : 1))
    return date.getTime()
  }
  const day = date.getDate()
  date.setDate(1)
  date.setMonth(date.getMonth() + amount * (unit === 'y' ? 12 : 1))
  const last = new Date(date)
  last.setMonth(last.getMonth() + 1, 0)
  date.setDate(Math.min(day, last.getDate()))
  return date.getTime()
}
