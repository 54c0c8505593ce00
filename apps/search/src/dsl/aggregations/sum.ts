import { sql } from '../../sql/sql.ts'
import { defineNumberMetric, firstCell } from './number-metric.ts'

/** `sum`: 0 when there is no value. */
export const sum = defineNumberMetric({
  name: 'sum',
  cells: (values, many) => [many ? sql`sumArray(${values})` : sql`sum(${values})`],
  value: (cells) => firstCell(cells) ?? 0,
  keepsKind: true,
})
