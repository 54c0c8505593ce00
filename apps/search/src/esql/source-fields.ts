import type { ResolvedField } from '../indices/model.ts'
import type { SourceField } from './sources.ts'
import type { EsqlType } from './types.ts'

/** The type of each field type in ES|QL; what is not here has values that no function takes. */
const types: Readonly<Record<string, EsqlType>> = {
  boolean: 'boolean',
  byte: 'integer',
  short: 'integer',
  integer: 'integer',
  token_count: 'integer',
  long: 'long',
  unsigned_long: 'unsigned_long',
  double: 'double',
  float: 'double',
  half_float: 'double',
  scaled_float: 'double',
  keyword: 'keyword',
  constant_keyword: 'keyword',
  wildcard: 'keyword',
  text: 'text',
  match_only_text: 'text',
  search_as_you_type: 'text',
  date: 'date',
  date_nanos: 'date_nanos',
  ip: 'ip',
  version: 'version',
}

/** The type that a field has in ES|QL. */
export function typeOfField(field: ResolvedField): EsqlType {
  // Its column has the words of the text, not the text.
  if (field.words !== undefined || field.valueType === undefined) return 'unsupported'
  return types[field.wireType] ?? 'unsupported'
}

/** The fields of several indices, by name: one that has two types has none that can be used. */
export function mergeFields(
  indices: readonly (readonly (readonly [name: string, field: ResolvedField])[])[],
): readonly SourceField[] {
  const merged = new Map<string, EsqlType>()
  for (const fields of indices)
    for (const [name, field] of fields) {
      const type = typeOfField(field)
      const known = merged.get(name)
      merged.set(name, known === undefined || known === type ? type : 'unsupported')
    }
  return [...merged].map(([name, type]) => ({ name, type })).sort((a, b) => (a.name < b.name ? -1 : 1))
}
