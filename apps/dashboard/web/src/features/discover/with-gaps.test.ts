import { expect, test } from 'vitest'
import { withGaps } from './with-gaps.ts'

const interval = { ms: 30_000, text: '30s', calendar: false }
const range = { fromMs: 1_000, toMs: 121_000 }

test('a lone bar gets its neighbours, so that it is as wide as its interval', () => {
  expect(withGaps([{ ms: 60_000, count: 7 }], interval, range)).toEqual([
    { ms: 30_000, count: 0 },
    { ms: 60_000, count: 7 },
    { ms: 90_000, count: 0 },
    { ms: 120_000, count: 0 },
  ])
})

test('a bar that began before the range is kept', () => {
  const bars = [
    { ms: 0, count: 1 },
    { ms: 90_000, count: 2 },
  ]
  expect(withGaps(bars, interval, range).map(({ count }) => count)).toEqual([1, 0, 0, 2, 0])
})

test('nothing is made of nothing, nor between calendar intervals', () => {
  expect(withGaps([], interval, range)).toEqual([])
  const bars = [{ ms: 60_000, count: 7 }]
  expect(withGaps(bars, { ...interval, calendar: true }, range)).toEqual(bars)
})
