import { expect, it } from 'vitest'
import { timeZone, utc } from '../../dates/date-format.ts'
import { groupedMs, intervalFor, type TimeSpan } from './auto-intervals.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const startMs = Date.UTC(2026, 0, 1)
const of = (lengthMs: number): TimeSpan => ({ from: startMs, to: startMs + lengthMs })
const wanted = { most: 60, zone: utc, least: undefined }

it('counts by parts of the unit that buckets are made of, as short as a thousand of them may be', () => {
  const lengths = [1_000, 600_000, hourMs, 12 * hourMs, 7 * dayMs, 30 * dayMs, 365 * dayMs, 20 * 365 * dayMs]
  expect(lengths.map((length) => groupedMs(of(length), wanted))).toEqual([
    1_000,
    1_000,
    5_000,
    60_000,
    600_000,
    hourMs,
    12 * hourMs,
    dayMs,
  ])
  for (const length of lengths) {
    const { starts } = intervalFor(of(length), wanted)
    const step = groupedMs(of(length), wanted) ?? Number.NaN
    expect(starts.every((start) => start % step === 0)).toBe(true)
  }
})

it('counts by what the clocks of a zone are ahead of others, too', () => {
  const grouped = (name: string, length: number) => groupedMs(of(length), { ...wanted, zone: timeZone(name) })
  expect(grouped('Asia/Kolkata', 30 * dayMs)).toBe(1_800_000)
  expect(grouped('Asia/Kathmandu', 30 * dayMs)).toBe(300_000)
  expect(grouped('Europe/Berlin', 365 * dayMs)).toBe(hourMs)
})

it('does not count where that would be too many groups, or none', () => {
  expect(groupedMs(of(40 * 365 * dayMs), wanted)).toBeUndefined()
  expect(groupedMs(of(20 * 365 * dayMs), { ...wanted, zone: timeZone('Europe/Berlin') })).toBeUndefined()
  expect(groupedMs(of(-1), wanted)).toBeUndefined()
})
