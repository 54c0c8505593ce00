import type { JsonObject } from '../../json/json-object.ts'
import { Double } from '../../json/print-json.ts'
import type { RowField } from '../define-aggregation.ts'
import { asString, cellNumber } from './metric-values.ts'

/** The answer of `stats`. */
export function renderStats(cells: readonly unknown[], field: RowField, format: string | undefined): JsonObject {
  const [count, low, high, mean] = cells.map(cellNumber)
  const sum = cellNumber(cells[4]) ?? 0
  const double = (value: number | null | undefined) =>
    value === null || value === undefined ? null : new Double(value)
  const answer: JsonObject = {
    count: count ?? 0,
    min: double(low),
    max: double(high),
    avg: double(mean),
    sum: new Double(sum),
  }
  const shown = { min: low, max: high, avg: mean, sum }
  if ((count ?? 0) > 0)
    for (const [name, value] of Object.entries(shown)) {
      const text = asString(field, value ?? null, format)
      if (text !== undefined) answer[`${name}_as_string`] = text
    }
  return answer
}

/** What `extended_stats` adds to the answer of `stats`, of its cells. */
export function renderExtended(cells: readonly unknown[], sigma: number): JsonObject {
  const count = cellNumber(cells[0]) ?? 0
  const of = (at: number) => (count === 0 ? null : cellNumber(cells[at]))
  const double = (value: number | null) => (value === null ? null : new Double(value))
  const sampled = (at: number) => (count === 0 ? null : count === 1 ? 'NaN' : double(of(at)))
  const mean = of(3)
  const bound = (deviation: unknown, sign: number) => {
    if (deviation === 'NaN') return 'NaN'
    return mean === null || !(deviation instanceof Double) ? null : new Double(mean + sign * sigma * deviation.value)
  }
  const population = double(of(7))
  const sampling = sampled(9)
  return {
    sum_of_squares: double(of(5)),
    variance: double(of(6)),
    variance_population: double(of(6)),
    variance_sampling: sampled(8),
    std_deviation: population,
    std_deviation_population: population,
    std_deviation_sampling: sampling,
    std_deviation_bounds: {
      upper: bound(population, 1),
      lower: bound(population, -1),
      upper_population: bound(population, 1),
      lower_population: bound(population, -1),
      upper_sampling: bound(sampling, 1),
      lower_sampling: bound(sampling, -1),
    },
  }
}
