import { compileNumberScript } from '../../painless/script.ts'
import { scriptParameters, scriptSchema } from './bucket-paths.ts'
import { definePipeline } from './define-pipeline.ts'

/** `bucket_selector`: keeps the buckets for which a script says true. */
export const bucketSelector = definePipeline({
  name: 'bucket_selector',
  place: 'parent',
  sequential: false,
  typedName: 'bucket_selector',
  schema: scriptSchema,
  paths: ({ buckets_path: paths }) => Object.values(paths),
  check: ({ script }) => void compileNumberScript(script),
  run({ buckets_path: paths, script, gap_policy: gap }, buckets) {
    const keeps = compileNumberScript(script)
    return buckets.filter((bucket) => keeps(scriptParameters(bucket, paths, gap)) === true)
  },
})
