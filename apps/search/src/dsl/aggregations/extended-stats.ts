import type { JsonObject } from '../../json/json-object.ts'
import { Double, printDouble } from '../../json/print-json.ts'
import { sql } from '../../sql/sql.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { illegalArgument } from '../shapes/refuse.ts'
import { decimal } from '../shapes/scalars.ts'
import { cellNumber, numberField, requireField } from './metric-cells.ts'
import { numberMetricSchema } from './number-metric.ts'
import { renderStats, statsCells } from './stats.ts'

/** Positions of cells that a bucket order may name; the first is reserved for `count`. */
const orderCells: Readonly<Record<string, number>> = {
  count: 0,
  min: 1,
  max: 2,
  avg: 3,
  sum: 4,
  sum_of_squares: 5,
  variance: 6,
  variance_population: 6,
  std_deviation: 7,
  std_deviation_population: 7,
  variance_sampling: 8,
  std_deviation_sampling: 9,
}

/** `extended_stats`: `stats` with squares, variances and deviations. */
export const extendedStats = defineAggregation({
  name: 'extended_stats',
  kind: 'metric',
  schema: numberMetricSchema.extend({ sigma: decimal.optional() }),
  uses: ({ field }) => ({ fields: [requireField(field)] }),
  check({ sigma = 2 }, name) {
    if (sigma < 0)
      throw illegalArgument(`[sigma] must be greater than or equal to 0. Found [${printDouble(sigma)}] in [${name}]`)
  },
  plan({ field: path, missing, format, sigma = 2 }, source) {
    const values = numberField(source, requireField(path), 'extended_stats', missing)
    const over = values.many ? sql`Array` : sql``
    const squares = values.many
      ? sql`sumArray(arrayMap(x -> x * x, ${values.sql}))`
      : sql`sum(${values.sql} * ${values.sql})`
    const cells = [
      ...statsCells(values.sql, values.many),
      squares,
      ...[sql`varPop`, sql`stddevPop`, sql`varSamp`, sql`stddevSamp`].map((name) => sql`${name}${over}(${values.sql})`),
    ]
    return {
      cells,
      render: (found) => ({
        ...renderStats(found, values.field, format),
        ...renderExtended(found, sigma),
      }),
      orderCell: (property = '') => (Object.hasOwn(orderCells, property) ? orderCells[property] : undefined),
    }
  },
})

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
