import { AppError, searchErrors } from '@logstack/errors'
import { jsonToken } from '../json/json-token.ts'

/** What a body of security says wrongly. */
export function parseFault(reason: string, cause?: unknown): AppError {
  return new AppError(searchErrors.parse_exception, reason, cause === undefined ? {} : { cause })
}

/** A list of texts. Throws `parse_exception` with the name of the field. */
export function readTexts(name: string, given: unknown): string[] {
  if (!Array.isArray(given)) {
    const found = given === null ? 'null' : `[${jsonToken(given)}]`
    throw parseFault(`could not parse [${name}] field. expected a string array but found ${found} value instead`)
  }
  const at = given.findIndex((one) => typeof one !== 'string')
  if (at < 0) return given as string[]
  // The field's name is lost there, too.
  const found = jsonToken(given[at])
  throw parseFault(
    `could not parse [null] field. expected a string array but one of the value in the array is [${found}]`,
  )
}
