import { type Point, type Series, withValues } from '../language/series.ts'
import { defineChainable, type TimelionFunction } from './define.ts'

const modes = ['linear', 'log'] as const

/** The line, or the curve of a logarithm, that lies nearest to the values between two places; negative ones count from the end. */
export const trend: TimelionFunction = defineChainable(
  'trend',
  { parameters: ['mode', 'start', 'end'] },
  (series, given) => {
    const scaled = given.choice('mode', modes) === 'log' ? Math.log : (ms: number) => ms
    return series.map((one): Series => {
      const { length } = one.points
      const start = given.number('start') ?? 0
      const end = given.number('end') ?? 0
      const from = start >= 0 ? start : length + start
      const to = end > 0 ? end : length + end
      const isWithin = (at: number): boolean => at >= from && at < to
      const line = nearestLine(
        one.points.filter((_, at) => isWithin(at)),
        scaled,
      )
      return withValues(
        one,
        one.points.map(([ms], at) => (isWithin(at) ? line(ms) : null)),
      )
    })
  },
)

/** The line of least squares. Its moments are measured from their mean: squares of milliseconds since 1970 are too large to be told apart. */
function nearestLine(points: readonly Point[], scaled: (ms: number) => number): (ms: number) => number | null {
  const known = points.flatMap(([ms, value]) => (value === null ? [] : [{ x: scaled(ms), y: value }]))
  if (known.length === 0) return () => null
  const mean = (of: (point: { x: number; y: number }) => number): number =>
    known.reduce((sum, point) => sum + of(point), 0) / known.length
  const [middleX, middleY] = [mean(({ x }) => x), mean(({ y }) => y)]
  const spread = mean(({ x }) => (x - middleX) ** 2)
  const gradient = spread === 0 ? 0 : mean(({ x, y }) => (x - middleX) * (y - middleY)) / spread
  return (ms) => middleY + gradient * (scaled(ms) - middleX)
}
