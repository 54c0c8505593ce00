import type { SavedObject } from '@logstack/contracts'
import type { DocumentSort } from '../../documents/document-head.tsx'
import { indicesOf } from '../../esql/query-text.ts'
import { fieldFilterOf } from '../../kibana/field-filter.ts'
import { type Json, jsonArray, jsonObject, text, texts } from '../../kibana/saved-json.ts'
import type { LanguageQuery, QueryLanguage } from '../../query/build-query.ts'
import { savedFilterOf } from '../../query/saved-filter.ts'
import type { FieldFilter } from '../../url-state/field-filters.ts'
import { savedLook } from '../dashboards/model/documents-table.ts'
import { clausesOf } from '../dashboards/model/saved-filters.ts'
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
