import { z } from 'zod'
import type { JsonObject } from '../../json/json-object.ts'
import { Double } from '../../json/print-json.ts'
import { parsingError } from '../../refusals/refuse.ts'
import { oneOrMany } from '../shapes/scalars.ts'
import { bucketValue, gapPolicy, pathElements } from './buckets-path.ts'
import { type BucketValue, definePipeline, type RenderedBucket } from './define-pipeline.ts'

/** A pattern of Java's DecimalFormat for the numbers of the answer: `index.ts` shows them by it. */
export const format = z.string().optional()

/** One path, also as a list of one. */
export const onePath = oneOrMany(z.string())

/** The body of a pipeline over one path. */
export const onePathSchema = z.strictObject({
  buckets_path: onePath.optional(),
  gap_policy: gapPolicy.optional(),
  format,
})

/** The only path of a pipeline; throws when there is none or several. */
export function pathOf(paths: readonly string[] | undefined, name: string): string {
  const [path, second] = paths ?? []
  if (path === undefined) throw parsingError(`Missing required field [buckets_path] for aggregation [${name}]`)
  if (second !== undefined) throw parsingError(`[buckets_path] must contain a single entry for aggregation [${name}]`)
  return path
}

/** The answer of one value; what is no number is null. */
export function simpleValue(value: number): JsonObject {
  return { value: Number.isFinite(value) ? new Double(value) : null }
}

/** The values of a path in the order of the buckets. */
export function valuesOf(
  buckets: readonly RenderedBucket[],
  path: string,
  gap: z.infer<typeof gapPolicy> | undefined,
): number[] {
  const elements = pathElements(path)
  return buckets.map(({ answer }) => bucketValue(answer, elements, gap))
}

/** Declares a metric over the values of sibling buckets. */
export function defineBucketMetric(
  name: string,
  typedName: string,
  answer: (values: readonly BucketValue[]) => JsonObject,
) {
  return definePipeline({
    name,
    place: 'sibling',
    typedName,
    schema: onePathSchema,
    paths: ({ buckets_path: paths }) => [pathOf(paths, name)],
    run: ({ buckets_path: paths, gap_policy: gap }, read) => answer(read(pathOf(paths, name), gap)),
  })
}
