import { type Series, valuesOf, withValues } from '../language/series.ts'
import { readInterval } from '../language/time-frame.ts'
import { TimelionError } from '../language/tree.ts'
import { defineChainable, type TimelionFunction } from './define.ts'

type Values = readonly (number | null)[]

/** Holt and Winters' exponential smoothing: of the level, with `beta` of the trend, with `gamma` of a season, too. Gaps are forecast. */
export const holt: TimelionFunction = defineChainable(
  'holt',
  { parameters: ['alpha', 'beta', 'gamma', 'season', 'sample'] },
  (series, given, { frame }) => {
    const [alpha, beta, gamma] = ['alpha', 'beta', 'gamma'].map((name) => given.number(name))
    if (alpha === undefined) throw new TimelionError('.holt() needs “alpha”')
    const saved = given.text('season')
    const sample = given.number('sample')
    const ofOne = (one: Series): (number | null)[] => {
      const values = valuesOf(one)
      if (beta === undefined) return smoothLevel(values, alpha)
      if (gamma === undefined) return smoothTrend(values, alpha, beta)
      if (saved === undefined || (sample !== undefined && sample < 2))
        throw new TimelionError('.holt() with “gamma” needs a “season”, such as 1d, and a “sample” of 2 or more')
      const season = Math.round(readInterval(saved).ms / frame.interval.ms)
      return smoothSeason(values, { alpha, beta, gamma, season, sample: sample ?? values.length })
    }
    return series.map((one) => withValues(one, ofOne(one)))
  },
)

/** Single smoothing: a gap repeats the value that was known last. */
function smoothLevel(values: Values, alpha: number): (number | null)[] {
  let level: number | null = null
  let known: number | null = null
  return values.map((value) => {
    known = value ?? known
    if (known === null) return null
    level = level === null ? known : alpha * known + (1 - alpha) * level
    return level
  })
}

/** Double smoothing: the first two values that are known give level and trend. */
function smoothTrend(values: Values, alpha: number, beta: number): (number | null)[] {
  const [first, second] = values.filter((value) => value !== null)
  // A series of gaps has nothing to forecast from.
  if (first === undefined) return [...values]
  if (second === undefined) throw new TimelionError('.holt() with “beta” needs at least 2 values')
  const startAt = values.indexOf(first)
  let level = first
  let trend = second - first
  let unknown = 0
  return values.map((value, at) => {
    if (at <= startAt) return value
    if (value === null) unknown++
    else {
      unknown = 0
      const before = level
      level = alpha * value + (1 - alpha) * (level + trend)
      trend = beta * (level - before) + (1 - beta) * trend
    }
    return level + unknown * trend
  })
}

interface Season {
  readonly alpha: number
  readonly beta: number
  readonly gamma: number
  /** How many points a season has, and how many seasons are looked at before the rest is forecast. */
  readonly season: number
  readonly sample: number
}

/** Triple smoothing. */
function smoothSeason(values: Values, { alpha, beta, gamma, season, sample }: Season): (number | null)[] {
  if (values.every((value) => value === null)) return [...values]
  if (season < 1 || values.length < 2 * season)
    throw new TimelionError(
      `.holt(): a season of ${season} points does not fit twice into the ${values.length} of this chart`,
    )
  const sampled = values.slice(0, season * Math.trunc(Math.min(sample, values.length)))
  const seasonals = firstSeasonals(sampled, season)
  let level = values[0] ?? 0
  let trend = firstTrend(values, season)
  let unknown = 0
  return values.map((value, at) => {
    if (at === 0) return value
    const place = at % season
    const seasonal = seasonals[place] ?? 0
    if (value === null || at >= sampled.length) {
      unknown++
      return level + unknown * trend + seasonal
    }
    unknown = 0
    const before = level
    level = alpha * (value - seasonal) + (1 - alpha) * (level + trend)
    trend = beta * (level - before) + (1 - beta) * trend
    seasonals[place] = gamma * (value - level) + (1 - gamma) * seasonal
    return level + trend + (seasonals[place] ?? 0)
  })
}

/** How much each place of a season differs from the mean of its season, over all whole ones. */
function firstSeasonals(sampled: Values, season: number): number[] {
  const count = Math.floor(sampled.length / season)
  const seasonals = Array.from({ length: season }, () => 0)
  for (let from = 0; from < count * season; from += season) {
    const one = sampled.slice(from, from + season)
    const mean = one.reduce<number>((sum, value) => sum + (value ?? 0), 0) / season
    for (const [place, value] of one.entries())
      seasonals[place] = (seasonals[place] ?? 0) + ((value ?? 0) - mean) / count
  }
  return seasonals
}

/** How much values rise from the first season to the second, by point. */
function firstTrend(values: Values, season: number): number {
  let sum = 0
  for (let place = 0; place < season; place++) sum += ((values[place + season] ?? 0) - (values[place] ?? 0)) / season
  return sum / season
}
