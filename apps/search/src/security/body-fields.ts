import { AppError, searchErrors } from '@logstack/errors'

/** What a body of security says wrongly. */
export function parseFault(reason: string, cause?: unknown): AppError {
  return new AppError(searchErrors.parse_exception, reason, cause === undefined ? {} : { cause })
}

/** What a value is called in Elasticsearch's errors. */
export function tokenOf(value: unknown): string {
  if (value === null) return 'VALUE_NULL'
  if (Array.isArray(value)) return 'START_ARRAY'
  if (typeof value === 'object') return 'START_OBJECT'
  if (typeof value === 'boolean') return 'VALUE_BOOLEAN'
  return typeof value === 'string' ? 'VALUE_STRING' : 'VALUE_NUMBER'
}

/** A list of texts. Throws `parse_exception` with the name of the field. */
export function readTexts(name: string, given: unknown): string[] {
  if (!Array.isArray(given)) {
    const found = given === null ? 'null' : `[${tokenOf(given)}]`
    throw parseFault(`could not parse [${name}] field. expected a string array but found ${found} value instead`)
  }
  const at = given.findIndex((one) => typeof one !== 'string')
  if (at < 0) return given as string[]
  // The field's name is lost there, too.
  const found = tokenOf(given[at])
  throw parseFault(
    `could not parse [null] field. expected a string array but one of the value in the array is [${found}]`,
  )
}
