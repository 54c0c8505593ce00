import { expect, test } from 'vitest'
import { automaticInterval, intervalOf } from './interval.ts'

const minute = 60_000
const day = 86_400_000

test.each([
  [15 * minute, '30s'],
  [60 * minute, '1m'],
  [day, '30m'],
  [7 * day, '3h'],
  [30 * day, '12h'],
  [365 * day, '1w'],
  [5_000, '100ms'],
])('about fifty buckets over %i ms are %s wide', (rangeMs, text) => {
  expect(automaticInterval(rangeMs).text).toBe(text)
})

test('saved intervals are read in all their spellings', () => {
  expect(intervalOf('d', day)).toMatchObject({ text: '1d', calendar: true })
  expect(intervalOf('day', day)).toMatchObject({ text: '1d', calendar: true })
  expect(intervalOf('12h', day)).toMatchObject({ text: '12h', calendar: false })
  expect(intervalOf('2w', day)).toMatchObject({ text: '14d', calendar: false })
  expect(intervalOf('auto', 15 * minute)).toMatchObject({ text: '30s' })
  expect(intervalOf('nonsense', 15 * minute)).toMatchObject({ text: '30s' })
})
