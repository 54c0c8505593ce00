import { defineBucketMetric, simpleValue } from './shapes.ts'
import { total } from './sum-bucket.ts'

/** `avg_bucket`: the mean over sibling buckets; null when none has a value. */
export const avgBucket = defineBucketMetric('avg_bucket', 'simple_value', (values) =>
  simpleValue(total(values) / values.length),
)
