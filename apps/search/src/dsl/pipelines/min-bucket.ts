import { extreme } from './max-bucket.ts'
import { defineBucketMetric } from './shapes.ts'

/** `min_bucket`: the lowest value over sibling buckets, and the keys of the buckets that have it. */
export const minBucket = defineBucketMetric('min_bucket', 'bucket_metric_value', (values) =>
  extreme(values, Math.min(...values.map(({ value }) => value))),
)
