import { AppError, isAppError, searchErrors } from '@logstack/errors'
import type { Value } from '@logstack/rules'
import type { ResolvedField } from '../model.ts'
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

/** The cause Elasticsearch gives when an object stands where a scalar should. */
export function notScalar(leaf: unknown): AppError {
  const token = Array.isArray(leaf) ? 'START_ARRAY' : 'START_OBJECT'
  return new AppError(searchErrors.illegal_state_exception, `Can't get text on a ${token}`)
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
