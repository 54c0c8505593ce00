import type { BucketValue } from './define-pipeline.ts'
import { defineBucketMetric, simpleValue } from './shapes.ts'

/** `sum_bucket`: the sum over sibling buckets. */
export const sumBucket = defineBucketMetric('sum_bucket', 'simple_value', (values) => simpleValue(total(values)))

/** The sum of the values. */
export function total(values: readonly BucketValue[]): number {
  return values.reduce((sum, { value }) => sum + value, 0)
}
