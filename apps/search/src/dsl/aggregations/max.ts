import { sql } from '../../sql/sql.ts'
import { defineNumberMetric, firstCell } from './number-metric.ts'

/** `max`: the largest value; null when there is none. */
export const max = defineNumberMetric({
  name: 'max',
  cells: (values, many) => [many ? sql`maxOrNullArray(${values})` : sql`max(${values})`],
  value: firstCell,
  keepsKind: true,
})
