import { expect, it } from 'vitest'
import { countedPercentileOf, percentileOf, rankOf } from './sorted-values.ts'

const sorted = [10, 20, 20, 30, 50]

it.each([
  [0, 10],
  [10, 14],
  [25, 20],
  [75, 30],
  [90, 42],
  [100, 50],
])('has percentile %s between values', (percent, expected) => {
  expect(percentileOf(sorted, percent)).toBeCloseTo(expected, 10)
})

it.each([
  [0, 10],
  [10, 10],
  [50, 20],
  [90, 50],
])('has percentile %s at a value where they are counted', (percent, expected) => {
  expect(countedPercentileOf(sorted, percent)).toBe(expected)
})

it.each([
  [5, 0],
  [10, 10],
  [15, 20],
  [20, 40],
  [25, 60],
  [30, 66.66666666666667],
  [40, 80],
  [50, 90],
  [60, 100],
])('ranks %s', (value, expected) => {
  expect(rankOf(sorted, value)).toBeCloseTo(expected, 10)
})

it('has nothing of no values and the middle of a single one', () => {
  expect([rankOf([], 1), percentileOf([], 50), rankOf([7], 7)]).toEqual([null, undefined, 50])
})
