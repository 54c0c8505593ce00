import type { LeafNode } from './compiled-mapping.ts'
import { showJava } from './mapping-parse.ts'

const previewLengthMax = 50

/** What Elasticsearch says of a value that does not fit its field, in a document with that id where it has one. */
export function leafFailureReason(
  { type, field }: Pick<LeafNode, 'type' | 'field'>,
  value: unknown,
  { cause, id }: { readonly cause: Error; readonly id: string | undefined },
): string {
  if (type.namelessFailures) return `failed to parse: ${cause.message}`
  const shown = showJava(value)
  const preview = shown.length > previewLengthMax ? `${shown.slice(0, previewLengthMax)}...` : shown
  const document = id === undefined ? '' : ` in document with id '${id}'`
  return `failed to parse field [${field.path}] of type [${field.wireType}]${document}. Preview of field's value: '${preview}'`
}
