import { z } from 'zod'
import { definePipeline } from './define-pipeline.ts'
import { format, onePath, pathOf, simpleValue, valuesOf } from './shapes.ts'

/** `cumulative_sum`: the sum of a bucket's value and those before it. */
export const cumulativeSum = definePipeline({
  name: 'cumulative_sum',
  place: 'parent',
  sequential: true,
  typedName: 'simple_value',
  schema: z.strictObject({ buckets_path: onePath.optional(), format }),
  paths: ({ buckets_path: paths }) => [pathOf(paths, 'cumulative_sum')],
  run({ buckets_path: paths }, buckets, { name, put }) {
    const values = valuesOf(buckets, pathOf(paths, name), 'insert_zeros')
    let sum = 0
    return buckets.map((bucket, at) => {
      sum += values[at] ?? 0
      return put(bucket, simpleValue(sum))
    })
  },
})
