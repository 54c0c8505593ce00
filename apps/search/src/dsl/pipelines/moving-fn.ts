import { z } from 'zod'
import { compileNumberScript } from '../../painless/script.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { whole } from '../shapes/scalars.ts'
import { plainNumber } from './buckets-path.ts'
import { definePipeline } from './define-pipeline.ts'
import { onePathSchema, pathOf, simpleValue, valuesOf } from './shapes.ts'

/** `moving_fn`: a script over the values of a window of buckets before each one; `values` are those of the window. */
export const movingFn = definePipeline({
  name: 'moving_fn',
  place: 'parent',
  sequential: true,
  typedName: 'simple_value',
  schema: onePathSchema.extend({ script: z.unknown(), window: whole, shift: whole.optional() }),
  paths: ({ buckets_path: paths }) => [pathOf(paths, 'moving_fn')],
  check({ window, script }) {
    if (window <= 0) throw illegalArgument('[window] must be a positive, non-zero integer.')
    compileNumberScript(script, ['values'])
  },
  run({ buckets_path: paths, gap_policy: gap, script, window, shift = 0 }, buckets, { name, put }) {
    const compute = compileNumberScript(script, ['values'])
    const values = valuesOf(buckets, pathOf(paths, name), gap)
    const kept = values.filter((value) => !Number.isNaN(value))
    let place = 0
    return buckets.map((bucket, at) => {
      if (Number.isNaN(values[at])) return bucket
      const within = kept.slice(Math.max(0, place - window + shift), Math.max(0, place + shift))
      place++
      return put(bucket, simpleValue(plainNumber(compute({}, { values: within })) ?? Number.NaN))
    })
  },
})
