import type { Point } from './series.ts'
import { TimelionError } from './tree.ts'

/** The ways to give points the moments of a chart. */
export const fitModes = ['average', 'carry', 'nearest', 'none', 'scale'] as const
export type FitMode = (typeof fitModes)[number]

/** The points at other moments; both are in the order of time. Takes as long as there are points and moments. */
export function fitPoints(points: readonly Point[], instants: readonly number[], mode: FitMode): readonly Point[] {
  const isFitting = points.length === instants.length && points.every(([ms], at) => ms === instants[at])
  return isFitting || points.length === 0 ? points : fits[mode](points, instants)
}

type Fit = (points: readonly Point[], instants: readonly number[]) => readonly Point[]

const fits: Readonly<Record<FitMode, Fit>> = { average, carry, nearest, none: (points) => points, scale }

/** The value of the point that is nearest in time; of two that are as near, the later one. */
function nearest(points: readonly Point[], instants: readonly number[]): Point[] {
  let at = 0
  return instants.map((ms) => {
    const away = (index: number): number => Math.abs((points[index]?.[0] ?? Number.POSITIVE_INFINITY) - ms)
    while (at < points.length - 1 && away(at + 1) <= away(at)) at++
    return [ms, points[at]?.[1] ?? null]
  })
}

/** The last value that was known; before the first one that. */
function carry(points: readonly Point[], instants: readonly number[]): Point[] {
  if (points.length > instants.length)
    throw new TimelionError('The fit “carry” cannot make fewer points of many: “scale” and “average” can')
  let at = 0
  return instants.map((ms) => {
    while (at < points.length - 1 && (points[at + 1]?.[0] ?? 0) <= ms) at++
    return [ms, points[at]?.[1] ?? null]
  })
}

/** The points up to each moment since the one before. */
function gathered(points: readonly Point[], instants: readonly number[]): number[][] {
  let at = 0
  return instants.map((ms) => {
    const found: number[] = []
    for (; at < points.length && (points[at]?.[0] ?? 0) <= ms; at++) found.push(points[at]?.[1] ?? 0)
    return found
  })
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** The mean of what lies since the moment before; where nothing does, on the straight line between its neighbours. */
function average(points: readonly Point[], instants: readonly number[]): Point[] {
  const means = gathered(points, instants).map((values) => (values.length === 0 ? null : sum(values) / values.length))
  let known = points[0]?.[1] ?? null
  let knownAt = -1
  const filled = [...means]
  for (const [at, mean] of means.entries()) {
    if (mean === null) continue
    const step = (mean - (known ?? mean)) / (at - knownAt)
    for (let between = knownAt + 1; between < at; between++)
      filled[between] = (known ?? mean) + step * (between - knownAt)
    known = mean
    knownAt = at
  }
  return instants.map((ms, at) => [ms, filled[at] ?? null])
}

/** The sum of what lies since the moment before, spread evenly over those at which nothing does: what is counted stays as much. */
function scale(points: readonly Point[], instants: readonly number[]): Point[] {
  const sums = gathered(points, instants)
  const spread: number[] = []
  let waiting = 0
  for (const [at, values] of sums.entries()) {
    waiting++
    if (values.length === 0 && at < sums.length - 1) continue
    for (let part = 0; part < waiting; part++) spread.push(sum(values) / waiting)
    waiting = 0
  }
  return instants.map((ms, at) => [ms, spread[at] ?? null])
}
