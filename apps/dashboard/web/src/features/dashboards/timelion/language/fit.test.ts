import { expect, test } from 'vitest'
import { type FitMode, fitPoints } from './fit.ts'
import type { Point } from './series.ts'

const at = (...pairs: readonly (readonly [number, number | null])[]): readonly Point[] => pairs
const fitted = (points: readonly Point[], instants: readonly number[], mode: FitMode): (number | null)[] =>
  fitPoints(points, instants, mode).map(([, value]) => value)

test('points that are at the moments already stay', () => {
  const points = at([0, 1], [10, null])
  for (const mode of ['average', 'carry', 'nearest', 'none', 'scale'] as const)
    expect(fitPoints(points, [0, 10], mode)).toBe(points)
  expect(fitPoints([], [0, 10], 'nearest')).toEqual([])
})

test('nearest: the value of the point that is nearest, the later of two', () => {
  expect(fitted(at([0, 1], [10, 2], [20, 3]), [1, 4, 5, 6, 15, 100], 'nearest')).toEqual([1, 1, 2, 2, 3, 3])
})

test('carry: the last value that was known', () => {
  expect(fitted(at([5, 1], [20, 2]), [0, 5, 10, 20, 30], 'carry')).toEqual([1, 1, 1, 2, 2])
  expect(() => fitted(at([0, 1], [1, 2], [2, 3]), [0, 2], 'carry')).toThrow('cannot make fewer points of many')
})

test('average: the mean of many, a straight line between few', () => {
  expect(fitted(at([0, 2], [5, 4], [10, 6]), [0, 10], 'average')).toEqual([2, 5])
  expect(fitted(at([0, 2], [30, 8]), [0, 10, 20, 30, 40], 'average')).toEqual([2, 4, 6, 8, null])
})

test('scale: the sum of many, a share of it for each of few', () => {
  expect(fitted(at([0, 2], [5, 4], [10, 6]), [0, 10], 'scale')).toEqual([2, 10])
  expect(fitted(at([20, 9], [30, 3]), [0, 10, 20, 30], 'scale')).toEqual([3, 3, 3, 3])
})

test('none: the points as they are', () => {
  expect(fitPoints(at([3, 1]), [0, 10], 'none')).toEqual([[3, 1]])
})
