import { calculatedOf, withCalculated } from './calculated-fields.ts'
import { ApiError, request } from './client.ts'

/** One document as search gives it, or a row that a query made: it has no index. */
export interface Hit {
  /** Empty for a row. */
  readonly _index: string
  readonly _id: string
  readonly _source?: Readonly<Record<string, unknown>>
  readonly sort?: readonly unknown[]
  /** By field: the values of fields that were asked for by name. */
  readonly fields?: Readonly<Record<string, readonly unknown[]>>
  /** By field: its values with what was looked for between `highlightTags`. */
  readonly highlight?: Readonly<Record<string, readonly string[]>>
}

/** Stand around what was looked for in highlighted values: characters that no log line has. */
export const highlightTags = { open: '\u0002', close: '\u0003' } as const

/** The `highlight` of a search: all fields, whole values. */
export const highlightRequest = {
  pre_tags: [highlightTags.open],
  post_tags: [highlightTags.close],
  number_of_fragments: 0,
  require_field_match: false,
  fields: { '*': {} },
} as const

/** How an answer says whether it is whole. */
export interface Completeness {
  readonly timed_out?: boolean
  readonly _shards?: {
    /** Nought where no index has the name that was asked. */
    readonly total?: number
    /** Of indices that could not answer. */
    readonly failures?: readonly {
      readonly index?: string
      readonly reason?: { readonly type?: string; readonly reason?: string }
    }[]
  }
}

/** An answer of `_search`; aggregations stay as they came. */
export interface SearchAnswer extends Completeness {
  readonly took?: number
  readonly hits: {
    readonly total?: { readonly value: number; readonly relation?: string }
    readonly hits: readonly Hit[]
  }
  readonly aggregations?: Readonly<Record<string, unknown>>
}

/**
 * Searches `index` (a name or pattern) with the user's own rights. Missing indices are an empty answer, not an error; one that cannot answer is an error,
 * except with `partial`: then the others answer, and who asks shows what is left out (`leftOutOf`).
 */
export function search(
  index: string,
  body: unknown,
  signal?: AbortSignal,
  { partial = false }: { partial?: boolean } = {},
): Promise<SearchAnswer> {
  const path = `${encodeURIComponent(index)}/_search?ignore_unavailable=true&allow_no_indices=true&allow_partial_search_results=${partial}`
  return request('api/search', { method: 'POST', query: { path }, json: withCalculated(index, body), signal })
}

/** A field of an index pattern, with its mapping types (more than one when indices disagree). */
export interface Field {
  readonly name: string
  readonly type: string
  readonly conflicting: boolean
  readonly searchable: boolean
  readonly aggregatable: boolean
}

type FieldCapsAnswer = {
  readonly fields: Readonly<
    Record<string, Readonly<Record<string, { searchable: boolean; aggregatable: boolean; metadata_field?: boolean }>>>
  >
}

/** The fields of an index pattern by name, without metadata and object fields. */
export async function fieldsOf(index: string, signal?: AbortSignal): Promise<Field[]> {
  const path = `${encodeURIComponent(index)}/_field_caps?fields=*&ignore_unavailable=true&allow_no_indices=true`
  try {
    const calculated = calculatedOf(index)
    const json = calculated === undefined ? {} : { json: { runtime_mappings: calculated } }
    return fieldsOfCaps(
      await request<FieldCapsAnswer>('api/search', { method: 'POST', query: { path }, signal, ...json }),
    )
  } catch (thrown) {
    const isUnsupported = thrown instanceof ApiError && (thrown.status === 400 || thrown.status === 405)
    if (!isUnsupported) throw thrown
    return fieldsOfMapping(await readSearch<MappingAnswer>(`${encodeURIComponent(index)}/_mapping`, signal))
  }
}

function fieldsOfCaps(answer: FieldCapsAnswer): Field[] {
  const fields = Object.entries(answer.fields).flatMap(([name, types]) => {
    const [first] = Object.entries(types).filter(([type]) => type !== 'unmapped')
    if (!first || first[1].metadata_field || containers.has(first[0]) || name.startsWith('_')) return []
    const [type, caps] = first
    const conflicting = Object.keys(types).filter((key) => key !== 'unmapped').length > 1
    return [{ name, type, conflicting, searchable: caps.searchable, aggregatable: caps.aggregatable }]
  })
  return fields.sort((left, right) => left.name.localeCompare(right.name))
}

const containers = new Set(['object', 'nested'])

interface MappingProperty {
  readonly type?: string
  readonly properties?: Readonly<Record<string, MappingProperty>>
  readonly fields?: Readonly<Record<string, MappingProperty>>
}

type MappingAnswer = Readonly<Record<string, { readonly mappings?: MappingProperty }>>

// For servers without field capabilities: the mappings say nearly the same.
function fieldsOfMapping(answer: MappingAnswer): Field[] {
  const types = new Map<string, Set<string>>()
  const walk = (property: MappingProperty, name: string): void => {
    const { type } = property
    if (type && !containers.has(type)) types.set(name, (types.get(name) ?? new Set()).add(type))
    for (const [key, child] of Object.entries({ ...property.properties, ...property.fields })) {
      walk(child, name === '' ? key : `${name}.${key}`)
    }
  }
  for (const { mappings } of Object.values(answer)) walk(mappings ?? {}, '')
  const fields = [...types].map(([name, found]): Field => {
    const [type = 'keyword'] = found
    return { name, type, conflicting: found.size > 1, searchable: true, aggregatable: type !== 'text' }
  })
  return fields.sort((left, right) => left.name.localeCompare(right.name))
}

/** A GET that the pages may send (`_cluster/health`, `_cat/indices?format=json`). */
export function readSearch<T>(path: string, signal?: AbortSignal): Promise<T> {
  return request('api/search', { method: 'POST', query: { path }, signal })
}
