import { AppError, searchErrors } from '@logstack/errors'
import { z } from 'zod'
import type { JsonObject } from '../../json/json-object.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { whole } from '../shapes/scalars.ts'
import { readSort, sortSchema } from '../sort/read-sort.ts'
import { bucketValue, gapPolicy, pathElements, plainNumber } from './buckets-path.ts'
import { definePipeline, type RenderedBucket } from './define-pipeline.ts'

/** `bucket_sort`: orders buckets by their metrics, and cuts them to `size` after `from`. */
export const bucketSort = definePipeline({
  name: 'bucket_sort',
  place: 'parent',
  sequential: false,
  typedName: 'bucket_sort',
  schema: z.strictObject({
    sort: sortSchema.optional(),
    from: whole.optional(),
    size: whole.optional(),
    gap_policy: gapPolicy.optional(),
  }),
  paths: ({ sort }) => readSort(sort).flatMap(({ field }) => (field === '_key' ? [] : [field])),
  check({ sort, from = 0, size }, name) {
    if (from < 0) throw illegalArgument(`[from] must be a non-negative integer: [${from}]`)
    if (size !== undefined && size <= 0) throw illegalArgument(`[size] must be a positive integer: [${size}]`)
    if (readSort(sort).length === 0 && from === 0 && size === undefined)
      throw new AppError(
        searchErrors.action_request_validation_exception,
        `Validation Failed: 1: [${name}] is configured to perform nothing. Please set either of [sort, size, from] to use bucket_sort;`,
      )
  },
  run({ sort, from = 0, size, gap_policy: gap }, buckets) {
    const end = size === undefined ? undefined : from + size
    const criteria = readSort(sort).map(({ field, descending }) => ({ path: pathElements(field), descending }))
    if (criteria.length === 0) return buckets.slice(from, end)
    const sortable = buckets.flatMap((bucket) => {
      const values = criteria.map(({ path }) => sortValue(bucket.answer, path, gap))
      // A bucket with none of the values is left out.
      return values.every((value) => value === undefined) ? [] : [{ bucket, values }]
    })
    sortable.sort((a, b) => {
      for (const [at, { descending }] of criteria.entries()) {
        const order = compare(a.values[at], b.values[at], descending)
        if (order !== 0) return order
      }
      return 0
    })
    return sortable.slice(from, end).map(({ bucket }): RenderedBucket => bucket)
  },
})

type SortValue = string | number | undefined

function sortValue(bucket: JsonObject, path: readonly string[], gap: z.infer<typeof gapPolicy> | undefined): SortValue {
  if (path.length === 1 && path[0] === '_key') {
    const { key } = bucket
    return plainNumber(key) ?? (typeof key === 'string' ? key : JSON.stringify(key))
  }
  const value = bucketValue(bucket, path, gap)
  return Number.isNaN(value) ? undefined : value
}

/** Missing values come last either way. */
function compare(a: SortValue, b: SortValue, descending: boolean): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1
  const order = a < b ? -1 : a > b ? 1 : 0
  return descending ? -order : order
}
