import { type Field, fieldsOf } from '../api/search.ts'

const fieldsKeptMs = 60_000
const fieldsByPattern = new Map<string, { readonly atMs: number; readonly fields: Promise<Field[]> }>()

/** The fields of an index pattern, asked for once a minute however many panels want them. */
export function sharedFields(index: string): Promise<Field[]> {
  const known = fieldsByPattern.get(index)
  if (known && Date.now() - known.atMs < fieldsKeptMs) return known.fields
  const fields = fieldsOf(index)
  fieldsByPattern.set(index, { atMs: Date.now(), fields })
  fields.catch(() => fieldsByPattern.delete(index))
  return fields
}
