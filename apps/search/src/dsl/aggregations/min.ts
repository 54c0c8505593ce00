import { sql } from '../../sql/sql.ts'
import { defineNumberMetric, firstCell } from './number-metric.ts'

/** `min`: the smallest value; null when there is none. */
export const min = defineNumberMetric({
  name: 'min',
  cells: (values, many) => [many ? sql`minOrNullArray(${values})` : sql`min(${values})`],
  value: firstCell,
  keepsKind: true,
})
