import type { ResolvedField } from '../model/mapping.ts'

const metadataTypes = {
  _id: 'string',
  _index: 'string',
  _routing: 'string',
  _ignored: 'string',
  _seq_no: 'long',
  _version: 'long',
} as const
const metadataFields: ReadonlyMap<string, ResolvedField> = new Map(
  Object.entries(metadataTypes).map(([path, valueType]) => [
    path,
    { path, wireType: path, valueType, parameters: {}, sourcePath: path },
  ]),
)

/** The field of a document's metadata of that name; undefined when it is none. */
export function metadataField(path: string): ResolvedField | undefined {
  return metadataFields.get(path)
}
