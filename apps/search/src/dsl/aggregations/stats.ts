import type { JsonObject } from '../../json/json-object.ts'
import { Double } from '../../json/print-json.ts'
import type { Sql } from '../../sql/sql.ts'
import { sql } from '../../sql/sql.ts'
import { defineAggregation, type RowField } from '../define-aggregation.ts'
import { asString, cellNumber, numberField, requireField } from './metric-cells.ts'
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
