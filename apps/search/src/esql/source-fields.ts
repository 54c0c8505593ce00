import { fieldTypeOf } from '../indices/field-types/index.ts'
import type { ResolvedField } from '../model/mapping.ts'
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
  geo_point: 'geo_point',
}

/** The type that a field has in ES|QL. */
function typeOfField(field: ResolvedField): EsqlType {
  // Its column has the words of the text, not the text.
  if (field.words !== undefined || field.valueType === undefined) return 'unsupported'
  return types[field.wireType] ?? 'unsupported'
}

/** The type that values of a field type have in ES|QL. */
export function typeOfMapping(wireType: string): EsqlType {
  return types[wireType] ?? 'unsupported'
}

/** What indices must map a field as for it to have one type; also what answers and messages call it. Kinds of integers and of floats are told apart, kinds of keywords are not. */
function mappedType({ wireType }: ResolvedField): string {
  return wireType === 'date' ? 'datetime' : fieldTypeOf(wireType).family
}

/** Types whose values are stored rounded, as queries round what they are compared with. */
const rounded = new Set(['float', 'half_float', 'scaled_float'])

/** A type that some of the indices map a field as. */
interface Mapped {
  readonly type: EsqlType
  readonly indices: string[]
  isExact: boolean
}

/** The fields of several indices, by name: one that is mapped otherwise in some has no type that can be used unless it is cast. */
export function mergeFields(indices: readonly FieldsOfIndex[]): readonly SourceField[] {
  const byName = new Map<string, Map<string, Mapped>>()
  for (const { index, fields } of indices)
    for (const [name, field] of fields) {
      const mapped = byName.get(name) ?? new Map<string, Mapped>()
      byName.set(name, mapped)
      const called = mappedType(field)
      const same = mapped.get(called) ?? { type: typeOfField(field), indices: [], isExact: true }
      same.indices.push(index)
      same.isExact &&= !rounded.has(field.wireType)
      mapped.set(called, same)
    }
  return [...byName].map(([name, mapped]) => merged(name, mapped)).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The fields of an index that a caller may see, by name. */
export interface FieldsOfIndex {
  readonly index: string
  readonly fields: Iterable<readonly [name: string, field: ResolvedField]>
}

function merged(name: string, mapped: ReadonlyMap<string, Mapped>): SourceField {
  const sorted = [...mapped].sort(([a], [b]) => (a < b ? -1 : 1))
  const [[called, { type, isExact }] = ['', { type: 'unsupported' as const, isExact: false }]] = sorted
  if (sorted.length < 2)
    return type === 'unsupported' ? { name, type, isExact, original: [called] } : { name, type, isExact }
  const named = sorted.map(([each, { indices }]) => `[${each}] in ${shownIndices(indices)}`)
  const conflict = `Cannot use field [${name}] due to ambiguities being mapped as [${sorted.length}] incompatible types: ${named.join(', ')}`
  const variants = sorted.map(([each, variant]) => ({
    type: variant.type,
    holds: (field: ResolvedField) => mappedType(field) === each,
  }))
  return { name, type: 'unsupported', isExact: false, conflict, variants, original: sorted.map(([each]) => each) }
}

function shownIndices(indices: readonly string[]): string {
  const sorted = [...indices].sort()
  const first = `[${sorted.slice(0, shownMax).join(', ')}]`
  return sorted.length > shownMax ? `${first} and [${sorted.length - shownMax}] other indices` : first
}

/** How many indices a message names. */
const shownMax = 3
