import type { SavedObject } from '@logstack/contracts'
import { expect, test } from 'vitest'
import { fieldFilterOf } from '../../kibana/field-filter.ts'
import { baseOf, type DiscoverState, savedSearchOf, stateOf } from './saved-search.ts'

const state: DiscoverState = {
  patternId: 'logs-*',
  query: 'event.outcome: failure',
  language: 'kuery',
  esql: undefined,
  filters: [
    { field: 'host.name', value: 'web-1' },
    { field: 'user.name', values: ['root', 'admin'], negate: true, disabled: true },
    { field: 'process.pid', range: { gte: 1, lte: 9 } },
    { field: 'source.ip', pinned: true },
  ],
  columns: ['host.name', 'message'],
  sort: { field: 'host.name', direction: 'asc' },
  widths: { message: 400 },
}
const saved = (attributes: Record<string, unknown>): SavedObject => ({
  type: 'search',
  id: 's',
  references: [],
  attributes,
})

test('a search comes back as it was saved', () => {
  const object = { ...saved({}), ...savedSearchOf(state, 'Failures') }
  expect(object.attributes['title']).toBe('Failures')
  expect(stateOf(object)).toEqual(state)
  expect(baseOf(object)).toEqual({ queries: [], clauses: [] })
})

test('what the page cannot say of an imported search still counts, and survives saving', () => {
  const raw = { meta: { type: 'custom' }, query: { bool: { must: [{ term: { a: 1 } }] } } }
  const dsl = { query_string: { query: 'a:b~' } }
  const source = { query: { language: 'lucene', query: dsl }, filter: [raw], version: true }
  const imported = saved({
    kibanaSavedObjectMeta: { searchSourceJSON: JSON.stringify(source) },
    usesAdHocDataView: false,
  })
  expect(stateOf(imported)).toMatchObject({ query: '', filters: [] })
  const base = { queries: [{ language: 'lucene', query: dsl }], clauses: [raw.query] }
  expect(baseOf(imported)).toEqual(base)
  const again = { ...imported, ...savedSearchOf({ ...state, query: '' }, 'Mine', imported) }
  expect(baseOf(again)).toEqual(base)
  expect(again.attributes['usesAdHocDataView']).toBe(false)
})

test('a query in Lucene is written in its own language', () => {
  const object = { ...saved({}), ...savedSearchOf({ ...state, query: 'a:b~', language: 'lucene' }, 'Near') }
  expect(stateOf(object)).toMatchObject({ query: 'a:b~', language: 'lucene' })
  expect(baseOf(object)).toEqual({ queries: [], clauses: [] })
})

test('a disabled filter stays one, and orders of older exports are read', () => {
  expect(fieldFilterOf({ meta: { disabled: true }, query: { exists: { field: 'a' } } })).toEqual({
    field: 'a',
    disabled: true,
  })
  expect(stateOf(saved({ sort: ['@timestamp', 'asc'] })).sort).toEqual({ field: '@timestamp', direction: 'asc' })
  expect(stateOf(saved({ sort: [['@timestamp', 'desc']] })).sort).toEqual({ field: '@timestamp', direction: 'desc' })
})

test('a search in ES|QL is kept as Kibana keeps it, with an index pattern of its own', () => {
  const esql = 'FROM logs-* | STATS n = COUNT(*) BY host.name'
  const asked = { ...state, query: '', patternId: '', filters: [], sort: undefined, esql }
  const object = { ...saved({}), ...savedSearchOf(asked, 'Hosts') }
  expect(object.references).toEqual([])
  expect(object.attributes['isTextBasedQuery']).toBe(true)
  const source = JSON.parse(
    String((object.attributes['kibanaSavedObjectMeta'] as Record<string, unknown>)['searchSourceJSON']),
  )
  expect(source).toMatchObject({
    query: { esql },
    index: { title: 'logs-*', timeFieldName: '@timestamp', type: 'esql' },
  })
  expect(stateOf(object)).toEqual(asked)
})

test('the index pattern of an imported search in ES|QL stays while its indices do', () => {
  const index = { id: 'abc', title: 'logs-*', timeFieldName: 'event.created', type: 'esql' }
  const query = { esql: 'FROM logs-* | LIMIT 10' }
  const imported = saved({
    isTextBasedQuery: true,
    kibanaSavedObjectMeta: { searchSourceJSON: JSON.stringify({ query, index, filter: [] }) },
  })
  expect(stateOf(imported)).toMatchObject({ esql: query.esql, query: '', patternId: '' })
  const indexOf = (esql: string): unknown => {
    const { attributes } = savedSearchOf({ ...stateOf(imported), esql }, 'Mine', imported)
    const { searchSourceJSON } = attributes['kibanaSavedObjectMeta'] as { searchSourceJSON: string }
    return (JSON.parse(searchSourceJSON) as { index: unknown }).index
  }
  expect(indexOf('FROM logs-* | LIMIT 5')).toEqual(index)
  expect(indexOf('FROM other')).toMatchObject({ title: 'other' })
})
