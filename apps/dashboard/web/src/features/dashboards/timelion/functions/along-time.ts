import { fitModes, fitPoints } from '../language/fit.ts'
import { mapValues, type Series, valuesOf, withValues } from '../language/series.ts'
import { readInterval } from '../language/time-frame.ts'
import { defineChainable, type TimelionFunction } from './define.ts'

const cusum = defineChainable('cusum', { parameters: ['base'] }, (series, given) =>
  series.map((one) => {
    let total = given.number('base') ?? 0
    return mapValues(one, (value) => {
      total += value ?? 0
      return total
    })
  }),
)

const derivative = defineChainable('derivative', {}, (series) =>
  series.map((one) => {
    const values = valuesOf(one)
    return mapValues(one, (value, at) => {
      const before = values[at - 1] ?? null
      return value === null || before === null ? null : value - before
    })
  }),
)

const fit = defineChainable('fit', { parameters: ['mode'] }, (series, given) => {
  given.neededText('mode')
  const mode = given.choice('mode', fitModes) ?? 'nearest'
  return series.map((one): Series => {
    const known = one.points.filter(([, value]) => value !== null)
    const instants = one.points.map(([ms]) => ms)
    return known.length === 0 ? one : { ...one, points: fitPoints(known, instants, mode) }
  })
})

const scaleInterval = defineChainable('scale_interval', { parameters: ['interval'] }, (series, given, { frame }) => {
  const factor = readInterval(given.neededText('interval')).ms / frame.interval.ms
  return series.map((one) => mapValues(one, (value) => (value === null ? null : value * factor)))
})

const trim = defineChainable('trim', { parameters: ['start', 'end'] }, (series, given) => {
  const start = given.number('start') ?? 1
  const end = given.number('end') ?? 1
  return series.map((one) => {
    const values = valuesOf(one)
    return withValues(
      one,
      values.map((value, at) => (at < start || at >= values.length - end ? null : value)),
    )
  })
})

/** What calculates along time. */
export const alongTime: readonly TimelionFunction[] = [cusum, derivative, fit, scaleInterval, trim]
