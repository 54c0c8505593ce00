import type { JsonObject } from '../../json/json-object.ts'
import type { BucketValue } from './define-pipeline.ts'
import { defineBucketMetric, simpleValue } from './shapes.ts'

/** `max_bucket`: the highest value over sibling buckets, and the keys of the buckets that have it. */
export const maxBucket = defineBucketMetric('max_bucket', 'bucket_metric_value', (values) =>
  extreme(values, Math.max(...values.map(({ value }) => value))),
)

/** The answer of an extreme value: which buckets have it. */
export function extreme(values: readonly BucketValue[], value: number): JsonObject {
  return { ...simpleValue(value), keys: values.filter((each) => each.value === value).map(({ key }) => key) }
}
