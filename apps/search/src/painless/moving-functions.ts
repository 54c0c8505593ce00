import { bare, numberOf } from './typed-number.ts'

type Values = readonly unknown[]

const numbers = (values: Values): number[] => values.map(Number).filter((value) => !Number.isNaN(value))
const total = (values: Values): number => numbers(values).reduce((sum, value) => sum + value, 0)
const mean = (values: Values): number => {
  const kept = numbers(values)
  return kept.length === 0 ? Number.NaN : total(kept) / kept.length
}

function deviation(values: Values, average: number): number {
  if (Number.isNaN(average)) return Number.NaN
  const kept = numbers(values)
  const squares = kept.reduce((sum, value) => sum + (value - average) ** 2, 0)
  return Math.sqrt(squares / kept.length)
}

function linearlyWeighted(values: Values): number {
  const kept = numbers(values)
  if (kept.length === 0) return Number.NaN
  const weighted = kept.reduce((sum, value, at) => sum + value * (at + 1), 0)
  return weighted / ((kept.length * (kept.length + 1)) / 2)
}

function exponentiallyWeighted(values: Values, alpha: number): number {
  const kept = numbers(values)
  return kept.length === 0
    ? Number.NaN
    : kept.reduce((average, value) => alpha * value + (1 - alpha) * average, kept[0] ?? 0)
}

/** Double exponential smoothing: level and trend. */
function holt(values: Values, alpha: number, beta: number): number {
  const kept = numbers(values)
  if (kept.length === 0) return Number.NaN
  let level = kept[0] ?? 0
  let trend = 0
  for (const [at, value] of kept.entries()) {
    if (at === 0) continue
    const before = at === 1 ? (kept[0] ?? 0) : level
    const priorTrend = at === 1 ? value - before : trend
    level = alpha * value + (1 - alpha) * (before + priorTrend)
    trend = beta * (level - before) + (1 - beta) * priorTrend
  }
  return level
}

/** Triple exponential smoothing: level, trend and a season of `period` values. */
function holtWinters(
  values: Values,
  alpha: number,
  beta: number,
  gamma: number,
  period: number,
  multiplicative: boolean,
): number {
  const padding = multiplicative ? 1e-10 : 0
  const kept = numbers(values).map((value) => value + padding)
  if (kept.length === 0) return Number.NaN
  if (kept.length < period * 2) throw new RangeError('Holt-Winters needs values of two periods at least')
  const first = kept.slice(0, period)
  const second = kept.slice(period, period * 2)
  const start = total(first) / period
  let level = start
  let trend = (total(second) - total(first)) / period / period
  if (start === 0 || level === 0) level = 0
  const seasonal = kept.map((value, at) =>
    at < period ? (multiplicative ? (start === 0 ? 0 : value / start) : value - start) : 0,
  )
  for (let at = period; at < kept.length; at++) {
    const value = kept[at] ?? 0
    const season = seasonal[at - period] ?? 0
    const before = level
    const plain = multiplicative ? (season === 0 ? 0 : value / season) : value - season
    level = alpha * plain + (1 - alpha) * (before + trend)
    const oldTrend = trend
    trend = beta * (level - before) + (1 - beta) * oldTrend
    const base = before + oldTrend
    seasonal[at] = multiplicative
      ? gamma * (base === 0 ? 0 : value / base) + (1 - gamma) * season
      : gamma * (value - base) + (1 - gamma) * season
  }
  const last = seasonal[kept.length - period] ?? 0
  return multiplicative ? (level + trend) * last : level + trend + last
}

/** The functions of `MovingFunctions` over the values of a window; NaN when the window has none. */
const functions: Readonly<Record<string, (values: Values, ...settings: never[]) => number>> = {
  max: (values: Values) => (numbers(values).length === 0 ? Number.NaN : Math.max(...numbers(values))),
  min: (values: Values) => (numbers(values).length === 0 ? Number.NaN : Math.min(...numbers(values))),
  sum: total,
  unweightedAvg: mean,
  stdDev: deviation,
  linearWeightedAvg: linearlyWeighted,
  ewma: exponentiallyWeighted,
  holt,
  holtWinters,
}

/** `MovingFunctions`, whose functions give doubles. */
export const movingFunctions = Object.fromEntries(
  Object.entries(functions).map(([name, apply]) => [
    name,
    (values: Values, ...settings: unknown[]) => numberOf('double', apply(values, ...(settings.map(bare) as never[]))),
  ]),
)
