import { expect, test } from 'vitest'
import { readInterval, readOffset, timeFrame } from './time-frame.ts'

const fromMs = new Date(2026, 2, 1, 12).getTime()
const hour = 3_600_000

test('a frame has a moment for each bucket, from the one that its range begins in', () => {
  const frame = timeFrame({ fromMs: fromMs + 30_000, toMs: fromMs + 180_000 }, '1m')
  expect(frame.instants.map((ms) => ms - fromMs)).toEqual([0, 60_000, 120_000])
})

test('an automatic interval makes about two hundred points', () => {
  for (const saved of [undefined, '', 'auto'])
    expect(timeFrame({ fromMs, toMs: fromMs + 24 * hour }, saved).interval.text).toBe('5m')
  expect(timeFrame({ fromMs, toMs: fromMs + 900_000 }, 'auto').instants).toHaveLength(900)
})

test('days, weeks, months and years begin where the calendar has them begin', () => {
  const range = { fromMs, toMs: new Date(2026, 4, 2).getTime() }
  const days = (saved: string): string[] =>
    timeFrame(range, saved).instants.map((ms) => {
      const date = new Date(ms)
      return [date.getFullYear(), date.getMonth() + 1, date.getDate(), date.getHours()].join('-')
    })
  expect(days('1M')).toEqual(['2026-3-1-0', '2026-4-1-0', '2026-5-1-0'])
  expect(days('1y')).toEqual(['2026-1-1-0'])
  // The first of March is a Sunday.
  expect(days('1w').slice(0, 2)).toEqual(['2026-2-23-0', '2026-3-2-0'])
  expect(days('1d')).toHaveLength(62)
})

test('a range of no length has one point', () => {
  expect(timeFrame({ fromMs, toMs: fromMs }, '1m').instants).toEqual([fromMs])
})

test('more points than Kibana draws are refused with what to do', () => {
  const range = { fromMs, toMs: fromMs + 2_000_000 }
  expect(timeFrame(range, '1s').instants).toHaveLength(2_000)
  expect(() => timeFrame({ ...range, toMs: range.toMs + 1_000 }, '1s')).toThrow(
    'Too many points of time (2001 of 2000 allowed): choose a larger interval than 1s, or a shorter time range',
  )
})

test.each([
  ['30s', 30_000],
  ['5m', 300_000],
  ['24h', 24 * hour],
  ['d', 24 * hour],
  ['1w', 7 * 24 * hour],
  ['2 hours', 2 * hour],
  ['1 Minute', 60_000],
])('the interval %s is read', (text, ms) => {
  expect(readInterval(text).ms).toBe(ms)
})

test.each(['0s', 'soon', '1x', '-5m', '1.5h'])('%s is no interval', (text) => {
  expect(() => readInterval(text)).toThrow(`“${text}” is no interval`)
})

test('offsets lead to another time and back again', () => {
  const range = { fromMs, toMs: fromMs + hour }
  const there = (text: string): string => new Date(readOffset(text, range).there(fromMs)).toLocaleString('sv-SE')
  expect(there('-1h')).toBe('2026-03-01 11:00:00')
  expect(there('+30m')).toBe('2026-03-01 12:30:00')
  expect(there('-1d')).toBe('2026-02-28 12:00:00')
  expect(there('-2w')).toBe('2026-02-15 12:00:00')
  expect(there('-1M')).toBe('2026-02-01 12:00:00')
  expect(there('-1y')).toBe('2025-03-01 12:00:00')
  expect(there('timerange:-2')).toBe('2026-03-01 10:00:00')
  for (const text of ['-1h', '-1d', '-1M', '-1y', 'timerange:-0.5']) {
    const offset = readOffset(text, range)
    expect(offset.back(offset.there(fromMs)), text).toBe(fromMs)
  }
})

test('a month before the last of a month is the last of that month', () => {
  const last = new Date(2026, 2, 31, 12).getTime()
  const before = readOffset('-1M', { fromMs: last, toMs: last }).there(last)
  expect(new Date(before).toLocaleString('sv-SE')).toBe('2026-02-28 12:00:00')
})

test.each(['1d', '-d', 'yesterday', 'timerange:1', 'timerange', '-1x'])('%s is no offset', (text) => {
  expect(() => readOffset(text, { fromMs, toMs: fromMs })).toThrow(`“${text}” is no offset`)
})

test('an offset beyond all dates is refused', () => {
  expect(() => readOffset('-999999999y', { fromMs, toMs: fromMs })).toThrow('leads beyond all dates')
})
