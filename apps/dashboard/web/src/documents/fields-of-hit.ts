import type { Hit } from '../api/search.ts'
import { flatten } from '../fields/flatten.ts'

/** The fields of a document: those of its source, and those that search calculated for it. */
export function fieldsOfHit(hit: Hit): Map<string, unknown> {
  const fields = flatten(hit._source ?? {})
  for (const [name, values] of Object.entries(hit.fields ?? {})) {
    if (!fields.has(name)) fields.set(name, values.length === 1 ? values[0] : values)
  }
  return fields
}
