import { illegalArgument } from '../../refusals/refuse.ts'
import { whole } from '../shapes/scalars.ts'
import { definePipeline } from './define-pipeline.ts'
import { onePathSchema, pathOf, simpleValue, valuesOf } from './shapes.ts'

/** `serial_diff`: how much a bucket's value differs from the one `lag` buckets before. */
export const serialDiff = definePipeline({
  name: 'serial_diff',
  place: 'parent',
  sequential: true,
  typedName: 'simple_value',
  schema: onePathSchema.extend({ lag: whole.optional() }),
  paths: ({ buckets_path: paths }) => [pathOf(paths, 'serial_diff')],
  check({ lag = 1 }) {
    if (lag <= 0)
      throw illegalArgument(`Lag must be a positive, non-zero integer.  Value supplied was${lag} in [serial_diff].`)
  },
  run({ buckets_path: paths, gap_policy: gap, lag = 1 }, buckets, { name, put }) {
    const values = valuesOf(buckets, pathOf(paths, name), gap)
    return buckets.map((bucket, at) => {
      const difference = (values[at] ?? Number.NaN) - (values[at - lag] ?? Number.NaN)
      return Number.isNaN(difference) ? bucket : put(bucket, simpleValue(difference))
    })
  },
})
