import { nothing } from '../../sql/sql.ts'
import type { RowField } from '../define-aggregation.ts'
import { renderStats } from '../shapes/rendered-stats.ts'
import type { BucketValue } from './define-pipeline.ts'
import { defineBucketMetric } from './shapes.ts'
import { total } from './sum-bucket.ts'

/** `stats_bucket`: count, min, max, avg and sum over sibling buckets. */
export const statsBucket = defineBucketMetric('stats_bucket', 'stats_bucket', (values) =>
  renderStats(statsOf(values), plainField, undefined),
)

/** Values of buckets are plain numbers: no field's format shows them. */
export const plainField: RowField = { path: '', sql: nothing, many: false, type: undefined, field: undefined }

/** What `stats` computes, in the order of its cells. */
export function statsOf(values: readonly BucketValue[]): (number | null)[] {
  if (values.length === 0) return [0, null, null, null, 0]
  const plain = values.map(({ value }) => value)
  const sum = total(values)
  return [plain.length, Math.min(...plain), Math.max(...plain), sum / plain.length, sum]
}
