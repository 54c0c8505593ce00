import { z } from 'zod'
import { bucketValue, gapPolicy, pathElements } from './buckets-path.ts'
import type { RenderedBucket } from './define-pipeline.ts'

/** The paths of a script by the names of its parameters: an object, a list (`_value0`, …) or one (`_value`). */
const scriptPaths = z.union([
  z.string().transform((path) => ({ _value: path })),
  z.array(z.string()).transform((paths) => Object.fromEntries(paths.map((path, at) => [`_value${at}`, path]))),
  z.record(z.string(), z.string()),
])

/** The body that `bucket_script` and `bucket_selector` have in common. */
export const scriptSchema = z.strictObject({
  buckets_path: scriptPaths,
  script: z.unknown(),
  gap_policy: gapPolicy.optional(),
})

/** The parameters of a script for one bucket; NaN where there is no value. */
export function scriptParameters(
  { answer }: RenderedBucket,
  paths: Readonly<Record<string, string>>,
  gap: z.infer<typeof gapPolicy> | undefined,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(paths).map(([name, path]) => [name, bucketValue(answer, pathElements(path), gap)]),
  )
}
