import { AppError, isAppError, searchErrors } from '@logstack/errors'
import type { Value } from '@logstack/rules'
import { jsonToken } from '../../json/json-token.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import type { FieldType, ParsedLeaf } from './define-field-type.ts'

/** No value and no error: null without a `null_value`. */
export const absent: ParsedLeaf = { absent: true }
/** Left out because it is too long; `_ignored` names the field. */
export const tooLong: ParsedLeaf = { ignored: 'ignore_above' }
/** Left out because the mapping says to ignore what does not parse. */
const malformed: ParsedLeaf = { ignored: 'ignore_malformed' }

/** The usual error of a value that a type does not take. */
export function illegalValue(reason: string, cause?: unknown): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason, cause === undefined ? {} : { cause })
}

const notTexts = new WeakSet<object>()

/** The cause Elasticsearch gives when an object stands where a scalar should; where that is, is added by who knows. */
function notScalar(leaf: unknown): AppError {
  const error = illegalValue(`Expected text but found ${jsonToken(leaf)}`)
  notTexts.add(error)
  return error
}

/** Whether a cause says that an object stands where a scalar should. */
export function isNotScalar(cause: object): boolean {
  return notTexts.has(cause)
}

/** What a reader of JSON says of a token that is none of what was asked for; where that is, is added by who knows. */
export function tokenError(reason: string, entry = searchErrors.json_parse_exception): AppError {
  return new AppError(searchErrors.x_content_parse_exception, reason, { cause: new AppError(entry, reason) })
}

const previews = new WeakMap<object, unknown>()

/** Notes of which part of a value an error is, for the preview of what was refused. */
export function ofPart<T extends AppError>(error: T, part: unknown): T {
  previews.set(error, part)
  return error
}

/** The part of a value that a cause is of, or the whole value. */
export function refusedPart(cause: object, value: unknown): unknown {
  return previews.has(cause) ? previews.get(cause) : value
}

/** A scalar as text, as the JSON has it. Throws for objects. */
export function textOf(leaf: unknown): string {
  if (typeof leaf === 'string') return leaf
  if (typeof leaf === 'number' || typeof leaf === 'boolean' || typeof leaf === 'bigint') return String(leaf)
  throw notScalar(leaf)
}

/** Types whose values may be objects; an object where none may be is an error also where malformed values are ignored. */
const takeObjects = new Set(['geo_point', 'geo_shape', 'point', 'shape'])

/**
 * Adds what all types do alike to a type's own reading of a leaf that is not null: `null_value` stands for null, and `ignore_malformed`
 * turns an error into an ignored value.
 */
export function readLeaf(read: (leaf: unknown, field: ResolvedField) => ParsedLeaf | Value): FieldType['parse'] {
  const wrapped = (leaf: unknown, field: ResolvedField): ParsedLeaf => {
    const result = read(leaf, field)
    return typeof result === 'object' ? result : { value: result }
  }
  return (leaf, field) => {
    if (leaf === null || leaf === undefined) {
      const substitute = field.parameters['null_value']
      return substitute === undefined || substitute === null ? absent : wrapped(substitute, field)
    }
    if (field.parameters['ignore_malformed'] !== true) return wrapped(leaf, field)
    try {
      return wrapped(leaf, field)
    } catch (thrown) {
      if (isAppError(thrown) && (typeof leaf !== 'object' || takeObjects.has(field.wireType))) return malformed
      throw thrown
    }
  }
}
