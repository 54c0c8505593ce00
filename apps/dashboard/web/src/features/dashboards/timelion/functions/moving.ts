import type { Given } from '../language/given.ts'
import { type Series, valuesOf, withValues } from '../language/series.ts'
import { readInterval, type TimeFrame } from '../language/time-frame.ts'
import { TimelionError } from '../language/tree.ts'
import { defineChainable, type TimelionFunction } from './define.ts'

const positions = ['left', 'right', 'center'] as const
type Position = (typeof positions)[number]

/** How many points a window spans: a number of them, or as many as come nearest to a span of time. */
function windowOf(given: Given, { interval }: TimeFrame): number {
  const saved = given.neededText('window')
  const points = Number.isFinite(Number(saved))
    ? Math.trunc(Number(saved))
    : Math.round(readInterval(saved).ms / interval.ms) || 1
  if (points < 1) throw new TimelionError(`The window “${saved}” has no points`)
  return points
}

/** Sums of the first so many values and of their squares, from which those of any window follow; gaps count as zero, as in Kibana. */
function sumsOf(values: readonly (number | null)[], middle: number): { sums: number[]; squares: number[] } {
  const sums = [0]
  const squares = [0]
  for (const value of values) {
    const away = (value ?? 0) - middle
    sums.push((sums.at(-1) ?? 0) + away)
    squares.push((squares.at(-1) ?? 0) + away * away)
  }
  return { sums, squares }
}

/** Something of each window of a series, in a time that does not grow with the window; a gap where the window reaches beyond the series. */
function ofWindows(
  series: Series,
  size: number,
  startOf: (at: number) => number,
  ofWindow: (mean: number, meanOfSquares: number) => number,
): Series {
  const values = valuesOf(series)
  // Sums about the mean: those of large numbers would lose what tells them apart.
  const middle = values.reduce<number>((sum, value) => sum + (value ?? 0), 0) / Math.max(1, values.length)
  const { sums, squares } = sumsOf(values, middle)
  const between = (of: readonly number[], start: number): number => (of[start + size] ?? 0) - (of[start] ?? 0)
  return withValues(
    series,
    values.map((_, at) => {
      const start = startOf(at)
      if (start < 0 || start + size > values.length) return null
      const mean = between(sums, start) / size
      return ofWindow(mean + middle, Math.max(0, between(squares, start) / size - mean * mean))
    }),
  )
}

const movingAverage = defineChainable(
  'movingaverage',
  { aliases: ['mvavg'], parameters: ['window', 'position'] },
  (series, given, { frame }) => {
    const size = windowOf(given, frame)
    const position = given.choice('position', positions) ?? 'center'
    // The window ends with the point, begins with it, or has it in its middle.
    const starts: Readonly<Record<Position, number>> = { left: 1 - size, right: 0, center: -Math.floor(size / 2) }
    return series.map((one) => ({
      ...ofWindows(
        one,
        size,
        (at) => at + starts[position],
        (mean) => mean,
      ),
      label: `${one.label} mvavg=${size}`,
    }))
  },
)

const movingDeviation = defineChainable(
  'movingstd',
  { aliases: ['mvstd'], parameters: ['window', 'position'] },
  (series, given, { frame }) => {
    const size = windowOf(given, frame)
    const position = given.choice('position', positions) ?? 'left'
    const starts: Readonly<Record<Position, number>> = { left: -size, right: 0, center: -Math.floor(size / 2) }
    return series.map((one) => {
      // As Kibana has it, windows that would end with the last point are left out.
      const last = position === 'left' ? Number.POSITIVE_INFINITY : one.points.length - 1
      const startOf = (at: number): number => {
        const start = at + starts[position]
        return start + size > last ? -1 : start
      }
      return {
        ...ofWindows(one, size, startOf, (_, variance) => Math.sqrt((variance * size) / (size - 1))),
        label: `${one.label} mvstd=${size}`,
      }
    })
  },
)

/** What calculates over a window that moves along time. */
export const moving: readonly TimelionFunction[] = [movingAverage, movingDeviation]
