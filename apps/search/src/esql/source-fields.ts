import type { ResolvedField } from '../indices/model.ts'
import type { SourceField } from './sources.ts'
import { type EsqlType, shownType } from './types.ts'

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
function typeOfField(field: ResolvedField): EsqlType {
  // Its column has the words of the text, not the text.
  if (field.words !== undefined || field.valueType === undefined) return 'unsupported'
  return types[field.wireType] ?? 'unsupported'
}

/** Types whose values are stored rounded, as queries round what they are compared with. */
const rounded = new Set(['float', 'half_float', 'scaled_float'])

/** The fields of several indices, by name: one that is mapped otherwise in some has no type that can be used. */
export function mergeFields(indices: readonly FieldsOfIndex[]): readonly SourceField[] {
  const byName = new Map<string, Map<EsqlType, string[]>>()
  const inexact = new Set<string>()
  for (const { index, fields } of indices)
    for (const [name, field] of fields) {
      const types = byName.get(name) ?? new Map<EsqlType, string[]>()
      const type = typeOfField(field)
      types.set(type, [...(types.get(type) ?? []), index])
      byName.set(name, types)
      if (rounded.has(field.wireType)) inexact.add(name)
    }
  return [...byName]
    .map(([name, types]) => merged(name, types, !inexact.has(name)))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The fields of an index that a caller may see, by name. */
export interface FieldsOfIndex {
  readonly index: string
  readonly fields: Iterable<readonly [name: string, field: ResolvedField]>
}

function merged(name: string, types: ReadonlyMap<EsqlType, readonly string[]>, isExact: boolean): SourceField {
  const [[type] = ['unsupported' as const]] = types
  if (types.size === 1) return { name, type, isExact }
  const named = [...types].map(([each, indices]) => `[${shownType(each)}] in ${shownIndices(indices)}`)
  const conflict = `Cannot use field [${name}] due to ambiguities being mapped as [${types.size}] incompatible types: ${named.join(', ')}`
  return { name, type: 'unsupported', isExact: false, conflict }
}

function shownIndices(indices: readonly string[]): string {
  const sorted = [...indices].sort()
  const first = `[${sorted.slice(0, shownMax).join(', ')}]`
  return sorted.length > shownMax ? `${first} and [${sorted.length - shownMax}] other indices` : first
}

/** How many indices a message names. */
const shownMax = 3
