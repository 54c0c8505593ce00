import { AppError, searchErrors } from '@logstack/errors'

/** A request that several rules of its route refuse, in Elasticsearch's words. */
export function validationError(...problems: readonly string[]): AppError {
  const text = problems.map((problem, at) => `${at + 1}: ${problem};`).join('')
  return new AppError(searchErrors.action_request_validation_exception, `Validation Failed: ${text}`)
}
