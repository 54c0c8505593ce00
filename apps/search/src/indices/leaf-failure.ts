import { AppError, isAppError, searchErrors } from '@logstack/errors'
import type { LeafNode } from './compiled-mapping.ts'
import { isNotScalar, refusedPart } from './field-types/leaf.ts'
import { showJava } from './mapping-parse.ts'
import { describeValue, locateValue, type SourcePath } from './source-location.ts'

const previewLengthMax = 50

/** What Elasticsearch says of a value that does not fit its field, in a document with that id where it has one. */
export function leafFailureReason(
  { type, field }: Pick<LeafNode, 'type' | 'field'>,
  value: unknown,
  { cause, id }: { readonly cause: Error; readonly id: string | undefined },
): string {
  if (field.wireType === 'geo_point') return `failed to parse field [${field.path}] of type [geo_point]`
  if (type.namelessFailures) return `failed to parse: ${cause.message}`
  const shown = showJava(refusedPart(cause, value))
  const preview = shown.length > previewLengthMax ? `${shown.slice(0, previewLengthMax)}...` : shown
  const document = id === undefined ? '' : ` in document with id '${id}'`
  return `failed to parse field [${field.path}] of type [${field.wireType}]${document}. Preview of field's value: '${preview}'`
}

/** A cause with the place in the document that its parser names; a document without bytes has none. */
export function placedCause(cause: AppError, bytes: Buffer | undefined, steps: SourcePath, value: unknown): AppError {
  const isOfToken = cause.code === 'x_content_parse_exception'
  const isObject = isNotScalar(cause)
  if (!isOfToken && !isObject) return cause
  const found = bytes && describeValue(bytes, steps)
  if (!bytes || !found) return cause
  if (isOfToken) {
    // A number is shown as it is written.
    const written = (text: string) =>
      typeof value === 'number' ? text.replace(`(${value})`, `(${found.text.trim()})`) : text
    const inner = isAppError(cause.cause)
      ? new AppError(searchErrors[innerCode(cause.cause)], written(cause.cause.message))
      : undefined
    const message = `[${found.end.line}:${found.end.column}] ${written(cause.message)}`
    return new AppError(searchErrors.x_content_parse_exception, message, inner ? { cause: inner } : {})
  }
  // Below a name with a dot there is no object in the text.
  if (!/^[{[]/u.test(found.text)) {
    const { line, column } = found.name
    return new AppError(searchErrors.illegal_state_exception, `Can't get text on a START_OBJECT at ${line}:${column}`)
  }
  const place = locateValue(bytes, steps)
  const message = cause.message.replace('Expected text', `Expected text at ${place?.line ?? 1}:${place?.column ?? 1}`)
  return new AppError(searchErrors.illegal_argument_exception, message)
}

function innerCode({ code }: AppError): 'input_coercion_exception' | 'json_parse_exception' {
  return code === 'input_coercion_exception' ? code : 'json_parse_exception'
}

/** Why a document may not bring a field of its own metadata. */
export function metadataFault(
  name: string,
  value: unknown,
  id: string | undefined,
): { readonly reason: string; readonly cause: string } {
  const document = id === undefined ? '' : ` in document with id '${id}'`
  return {
    reason: `failed to parse field [${name}] of type [${name}]${document}. Preview of field's value: '${showJava(value)}'`,
    cause: `Field [${name}] is a metadata field and cannot be added inside a document. Use the index API request parameters.`,
  }
}
