import { compileNumberScript } from '../../painless/script.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { scriptParameters, scriptSchema } from './bucket-paths.ts'
import { plainNumber } from './buckets-path.ts'
import { definePipeline } from './define-pipeline.ts'
import { format, simpleValue } from './shapes.ts'

/** `bucket_script`: a number computed from the metrics of each bucket; buckets with a gap get none. */
export const bucketScript = definePipeline({
  name: 'bucket_script',
  place: 'parent',
  sequential: false,
  typedName: 'simple_value',
  schema: scriptSchema.extend({ format }),
  paths: ({ buckets_path: paths }) => Object.values(paths),
  check: ({ script }) => void compileNumberScript(script),
  run({ buckets_path: paths, script, gap_policy: gap = 'skip' }, buckets, { name, put }) {
    const compute = compileNumberScript(script)
    return buckets.map((bucket) => {
      const parameters = scriptParameters(bucket, paths, gap)
      if (Object.values(parameters).some(Number.isNaN)) return bucket
      const value = compute(parameters)
      if (value === null) return bucket
      const found = plainNumber(value)
      if (found === undefined)
        throw illegalArgument(`[${name}] the script must return a number, but it returned [${String(value)}]`)
      return put(bucket, simpleValue(found))
    })
  },
})
