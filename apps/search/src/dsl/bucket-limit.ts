import { AppError, searchErrors } from '@logstack/errors'
import { ofReduction } from '../refusals/refuse.ts'

/** Refuses to be asked for more buckets than the limit. */
export function tooManyBucketsAsked(limit: number, asked: number): AppError {
  return new AppError(
    searchErrors.too_many_buckets_exception,
    `Trying to create too many buckets. Must be less than or equal to: [${limit}] but was [${asked}]. This limit can be set by changing the [search.max_buckets] cluster level setting.`,
    { detail: { max_buckets: limit } },
  )
}

/** Refuses to make more buckets than the limit. */
export function tooManyBuckets(limit: number): AppError {
  const refused = new AppError(
    searchErrors.too_many_buckets_exception,
    `Trying to create too many buckets. Must be less than or equal to: [${limit}] but this number of buckets was exceeded. This limit can be set by changing the [search.max_buckets] cluster level setting.`,
    { detail: { max_buckets: limit } },
  )
  return ofReduction(refused)
}
