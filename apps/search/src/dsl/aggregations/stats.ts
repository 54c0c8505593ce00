import type { Sql } from '../../sql/sql.ts'
import { sql } from '../../sql/sql.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { renderStats } from '../shapes/rendered-stats.ts'
import { numberField, requireField } from './metric-cells.ts'
import { numberMetricSchema } from './number-metric.ts'

const properties = ['count', 'min', 'max', 'avg', 'sum']

/** `stats`: count, min, max, avg and sum at once. */
export const stats = defineAggregation({
  name: 'stats',
  kind: 'metric',
  schema: numberMetricSchema,
  uses: ({ field }) => ({ fields: [requireField(field)] }),
  plan({ field: path, missing, format }, source) {
    const values = numberField(source, requireField(path), 'stats', missing)
    return {
      cells: statsCells(values.sql, values.many),
      render: (cells) => renderStats(cells, values.field, format),
      orderCell(property) {
        const at = properties.indexOf(property ?? '')
        return at < 0 ? undefined : at
      },
    }
  },
})

/** The cells of `stats`, in the order of its properties. */
export function statsCells(values: Sql, many: boolean): Sql[] {
  return many
    ? [
        sql`sum(length(${values}))`,
        sql`minOrNullArray(${values})`,
        sql`maxOrNullArray(${values})`,
        sql`avgOrNullArray(${values})`,
        sql`sumArray(${values})`,
      ]
    : [sql`count(${values})`, sql`min(${values})`, sql`max(${values})`, sql`avg(${values})`, sql`sum(${values})`]
}
