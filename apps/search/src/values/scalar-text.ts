import { AppError, searchErrors } from '@logstack/errors'

/** A text, number or boolean of a request as text. Throws for objects and lists, of which `String` makes no name, or fails at a `toString` of their own. */
export function scalarText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const found = Array.isArray(value) ? 'START_ARRAY' : 'START_OBJECT'
  throw new AppError(searchErrors.illegal_argument_exception, `Can't get text on a ${found}`)
}
