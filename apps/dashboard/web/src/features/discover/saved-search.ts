import type { SavedObject } from '@logstack/contracts'
import type { QueryClause } from '@logstack/kql'
import type { DocumentSort } from '../../documents/document-head.tsx'
import { indicesOf } from '../../esql/query-text.ts'
import { type FieldFilter, filterClause, type LanguageQuery, type QueryLanguage } from '../../query/build-query.ts'
import { savedLook } from '../dashboards/model/documents-table.ts'
import { clausesOf } from '../dashboards/model/saved-filters.ts'
import { type Json, jsonArray, jsonObject, text, texts } from '../dashboards/model/saved-json.ts'
import type { SearchBase } from './use-discover.ts'

/** What a search looks for and how its documents are shown: the part of Discover's state that can be saved. */
export interface DiscoverState {
  readonly patternId: string
  readonly query: string
  readonly language: QueryLanguage
  /** The query in ES|QL; undefined where documents are looked for with the query bar. */
  readonly esql: string | undefined
  readonly filters: readonly FieldFilter[]
  readonly columns: readonly string[]
  readonly sort: DocumentSort | undefined
  /** Pixels, by column. */
  readonly widths: Readonly<Record<string, number>>
}

const indexName = 'kibanaSavedObjectMeta.searchSourceJSON.index'

/** The attributes and references of a saved search, as Kibana 8 keeps them; what is known of it besides stays. */
export function savedSearchOf(
  state: DiscoverState,
  title: string,
  before?: SavedObject,
): Pick<SavedObject, 'attributes' | 'references'> {
  const old = before ? sourceOf(before) : {}
  const kept = jsonArray(old['filter']).filter((filter) => fieldFilterOf(filter) === undefined)
  const base = baseOf(before)
  const isEsql = state.esql !== undefined
  const { indexRefName: _name, index: _index, ...others } = old
  const source = {
    ...others,
    // A query in DSL stays: the page has no other place for it.
    query: isEsql ? { esql: state.esql } : (base.queries[0] ?? { query: state.query, language: state.language }),
    filter: [...kept, ...state.filters.map(savedFilterOf)],
    highlightAll: true,
    ...(isEsql ? { index: viewOf(state.esql, jsonObject(old['index'])) } : { indexRefName: indexName }),
  }
  const columns = Object.fromEntries(Object.entries(state.widths).map(([name, width]) => [name, { width }]))
  const references = before?.references.filter(({ name }) => name !== indexName) ?? []
  return {
    attributes: {
      description: '',
      hideChart: false,
      timeRestore: false,
      ...before?.attributes,
      isTextBasedQuery: isEsql,
      title,
      columns: [...state.columns],
      sort: state.sort ? [[state.sort.field, state.sort.direction]] : [],
      grid: { columns },
      kibanaSavedObjectMeta: { searchSourceJSON: JSON.stringify(source) },
    },
    references: isEsql ? references : [...references, { type: 'index-pattern', id: state.patternId, name: indexName }],
  }
}

/** The index pattern that a search in ES|QL holds itself, as Kibana keeps it; the one it had, if the indices are the same. */
function viewOf(esql: string, before: Json): Json {
  const title = indicesOf(esql) ?? ''
  if (before['title'] === title) return before
  return { id: `esql-${title}`, title, name: title, timeFieldName: '@timestamp', type: 'esql', allowNoIndex: true }
}

/** The state of a saved search; what the page cannot show of it is `baseOf`. */
export function stateOf(saved: SavedObject): DiscoverState {
  const source = sourceOf(saved)
  const query = jsonObject(source['query'])
  const name = text(source['indexRefName']) ?? indexName
  return {
    patternId: saved.references.find((reference) => reference.name === name)?.id ?? text(source['index']) ?? '',
    query: text(query['query']) ?? '',
    language: query['language'] === 'lucene' ? 'lucene' : 'kuery',
    esql: text(query['esql']),
    filters: jsonArray(source['filter']).flatMap((filter) => fieldFilterOf(filter) ?? []),
    columns: texts(saved.attributes['columns']).filter((column) => column !== '_source'),
    ...savedLook(saved.attributes, {}),
  }
}

/** What a saved search asks for that has no place in the page: a query and filters of raw DSL. */
export function baseOf(saved: SavedObject | undefined): SearchBase {
  if (!saved) return { queries: [], clauses: [] }
  const source = sourceOf(saved)
  const query = jsonObject(source['query'])
  const isDsl = typeof query['query'] === 'object' && query['query'] !== null
  const queries: LanguageQuery[] = isDsl ? [{ language: 'lucene', query: query['query'] }] : []
  const raw = jsonArray(source['filter']).filter((filter) => fieldFilterOf(filter) === undefined)
  return { queries, clauses: clausesOf(raw) }
}

function sourceOf(saved: SavedObject): Json {
  return jsonObject(jsonObject(saved.attributes['kibanaSavedObjectMeta'])['searchSourceJSON'])
}

function savedFilterOf(filter: FieldFilter): Json {
  const { negate = false, disabled = false, pinned = false, control: _control, ...positive } = filter
  const type = filter.values ? 'phrases' : filter.range ? 'range' : filter.value === undefined ? 'exists' : 'phrase'
  const meta = { key: filter.field, type, negate, disabled, alias: null }
  const store = pinned ? 'globalState' : 'appState'
  return { meta, query: filterClause(positive) as Json, $state: { store } }
}

/** A saved filter as a pill; undefined for one that a pill cannot say. */
export function fieldFilterOf(filter: Json): FieldFilter | undefined {
  const meta = jsonObject(filter['meta'])
  const found = positiveOf(jsonObject(filter['query']) as QueryClause)
  if (!found) return undefined
  const isPinned = jsonObject(filter['$state'])['store'] === 'globalState'
  return {
    ...found,
    ...(meta['negate'] === true ? { negate: true } : {}),
    ...(meta['disabled'] === true ? { disabled: true } : {}),
    ...(isPinned ? { pinned: true } : {}),
  }
}

function positiveOf(query: Json): FieldFilter | undefined {
  const phrase = phraseOf(query)
  if (phrase) return phrase
  const field = text(jsonObject(query['exists'])['field'])
  if (field !== undefined) return { field }
  const [ranged, limits] = Object.entries(jsonObject(query['range']))[0] ?? []
  const { gte, lte, ...other } = jsonObject(limits)
  if (ranged !== undefined && Object.keys(other).length === 0 && [gte, lte].every(isLimit)) {
    return { field: ranged, range: jsonObject(limits) as NonNullable<FieldFilter['range']> }
  }
  const { should, minimum_should_match: least, ...rest } = jsonObject(query['bool'])
  const phrases = jsonArray(should).map(phraseOf)
  const [first] = phrases
  const values = phrases.flatMap((one) => (one?.value !== undefined && one.field === first?.field ? [one.value] : []))
  const isOneField = first && least === 1 && Object.keys(rest).length === 0 && values.length === phrases.length
  return isOneField ? { field: first.field, values } : undefined
}

const isLimit = (value: unknown): boolean => value === undefined || typeof value === 'number'

function phraseOf(query: Json): FieldFilter | undefined {
  const [field, body] = Object.entries(jsonObject(query['match_phrase']))[0] ?? []
  if (field === undefined) return undefined
  const value = typeof body === 'object' ? jsonObject(body)['query'] : body
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isPlain ? { field, value } : undefined
}
