import { sql } from '../../sql/sql.ts'
import { defineNumberMetric, firstCell } from './number-metric.ts'

/** `avg`: the mean of all values; null when there is none. */
export const avg = defineNumberMetric({
  name: 'avg',
  cells: (values, many) => [many ? sql`avgOrNullArray(${values})` : sql`avg(${values})`],
  value: firstCell,
  keepsKind: true,
})
