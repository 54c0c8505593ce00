import { mapValues, type Series, valuesOf, withValues } from '../language/series.ts'
import { TimelionError } from '../language/tree.ts'
import { defineChainable, type TimelionFunction } from './define.ts'

type Combine = (left: number, right: number) => number

/** A function that calculates with a number, with another series, with one for each, or, without any, with all of its own. */
function defineArithmetic(
  name: string,
  aliases: readonly string[],
  operand: string,
  combine: Combine,
): TimelionFunction {
  return defineChainable(name, { aliases, parameters: [operand] }, (series, given) => {
    const other = given.operand(operand)
    if (other === undefined || other === null) return reduced(series, combine)
    if (typeof other === 'number')
      return series.map((one) => mapValues(one, (value) => (value === null ? null : combine(value, other))))
    return other.length > 1 ? pairwise(series, other, combine) : series.map((one) => combined(one, other[0], combine))
  })
}

/** Point by point; a gap in either is one in the result. */
function combined(left: Series, right: Series | undefined, combine: Combine): Series {
  const others = right ? valuesOf(right) : []
  return mapValues(left, (value, at) => {
    const other = others[at] ?? null
    return value === null || other === null ? null : combine(value, other)
  })
}

/** All series as one, from the first to the last. */
function reduced([first, ...others]: readonly Series[], combine: Combine): Series[] {
  return first ? [others.reduce((left, right) => combined(left, right, combine), first)] : []
}

/** Each series with the one of the same split, or, where not all are of a split, of the same label. */
function pairwise(left: readonly Series[], right: readonly Series[], combine: Combine): Series[] {
  if (left.length !== right.length)
    throw new TimelionError(
      `${left.length} series cannot be calculated with ${right.length}: as many, or one, are needed`,
    )
  const isSplit = [...left, ...right].every(({ split }) => split !== undefined)
  const keyOf = ({ split, label }: Series): string => (isSplit ? (split ?? '') : label)
  const others = new Map(right.map((one) => [keyOf(one), one]))
  return left.map((one) => {
    const other = others.get(keyOf(one))
    if (!other) throw new TimelionError(`No series “${keyOf(one)}” is there to calculate with`)
    return { ...combined(one, other, combine), label: keyOf(one) }
  })
}

/** A function of each value alone; gaps stay. */
function defineOfValue(name: string, newValue: (value: number) => number): TimelionFunction {
  return defineChainable(name, {}, (series) =>
    series.map((one) => mapValues(one, (value) => (value === null ? null : newValue(value)))),
  )
}

const log = defineChainable('log', { parameters: ['base'] }, (series, given) => {
  const base = given.number('base') ?? 10
  return series.map((one) => mapValues(one, (value) => (value === null ? null : Math.log(value) / Math.log(base))))
})

const precision = defineChainable('precision', { parameters: ['precision'] }, (series, given) => {
  const digits = Math.max(0, Math.min(15, Math.trunc(given.neededNumber('precision'))))
  const factor = 10 ** digits
  return series.map((one) => ({
    ...mapValues(one, (value) => (value === null ? null : Math.trunc(value * factor) / factor)),
    look: { ...one.look, decimals: digits },
  }))
})

const range = defineChainable('range', { parameters: ['min', 'max'] }, (series, given) => {
  const [min, max] = [given.neededNumber('min'), given.neededNumber('max')]
  return series.map((one) => {
    const known = valuesOf(one).filter((value) => value !== null)
    const lowest = known.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)
    const highest = known.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
    // A line without height stays one.
    const factor = highest > lowest ? (max - min) / (highest - lowest) : 0
    return mapValues(one, (value) => (value === null ? null : (value - lowest) * factor + min))
  })
})

/** Aggregations of all values of a series; gaps count as zero in the mean, as they do in Kibana. */
const aggregations: Readonly<Record<string, (values: readonly (number | null)[]) => number | null>> = {
  avg: (values) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0) / values.length,
  cardinality: (values) => new Set(values).size,
  first: (values) => values[0] ?? null,
  last: (values) => values.at(-1) ?? null,
  max: (values) => values.reduce<number>((most, value) => Math.max(most, value ?? most), Number.NEGATIVE_INFINITY),
  min: (values) => values.reduce<number>((least, value) => Math.min(least, value ?? least), Number.POSITIVE_INFINITY),
  sum: (values) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0),
}

const aggregate = defineChainable('aggregate', { parameters: ['function'] }, (series, given) => {
  given.neededText('function')
  const name = given.choice('function', Object.keys(aggregations)) ?? ''
  return series.map((one) => {
    const value = aggregations[name]?.(valuesOf(one)) ?? null
    return withValues(
      one,
      one.points.map(() => value),
    )
  })
})

/** What calculates with the values of each moment. */
export const arithmetic: readonly TimelionFunction[] = [
  defineOfValue('abs', Math.abs),
  aggregate,
  defineArithmetic('divide', [], 'divisor', (left, right) => left / right),
  log,
  defineArithmetic('max', [], 'value', Math.max),
  defineArithmetic('min', [], 'value', Math.min),
  defineArithmetic('multiply', [], 'multiplier', (left, right) => left * right),
  precision,
  range,
  defineArithmetic('subtract', [], 'term', (left, right) => left - right),
  defineArithmetic('sum', ['add', 'plus'], 'term', (left, right) => left + right),
]
