import { printDouble } from '../../json/print-json.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { sql } from '../../sql/sql.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { renderExtended, renderStats } from '../shapes/rendered-stats.ts'
import { decimal } from '../shapes/scalars.ts'
import { numberField, requireField } from './metric-cells.ts'
import { numberMetricSchema } from './number-metric.ts'
import { statsCells } from './stats.ts'

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
