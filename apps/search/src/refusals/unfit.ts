import { AppError, searchErrors } from '@logstack/errors'

/** A fault of a document in a pipeline, as Elasticsearch names it. */
export function unfit(reason: string, cause?: Error): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason, cause ? { cause } : {})
}
