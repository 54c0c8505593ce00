import type { SavedObject } from '@logstack/contracts'
import { expect, test } from 'vitest'
import { baseOf, type DiscoverState, fieldFilterOf, savedSearchOf, stateOf } from './saved-search.ts'

const state: DiscoverState = {
  patternId: 'logs-*',
  query: 'event.outcome: failure',
  filters: [
    { field: 'host.name', value: 'web-1' },
    { field: 'user.name', values: ['root', 'admin'], negate: true },
    { field: 'process.pid', range: { gte: 1, lte: 9 } },
    { field: 'source.ip' },
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
  const source = { query: { language: 'lucene', query: 'a:b~' }, filter: [raw], version: true }
  const imported = saved({
    kibanaSavedObjectMeta: { searchSourceJSON: JSON.stringify(source) },
    usesAdHocDataView: false,
  })
  expect(stateOf(imported)).toMatchObject({ query: '', filters: [] })
  const base = { queries: [{ language: 'lucene', query: 'a:b~' }], clauses: [raw.query] }
  expect(baseOf(imported)).toEqual(base)
  const again = { ...imported, ...savedSearchOf({ ...state, query: '' }, 'Mine', imported) }
  expect(baseOf(again)).toEqual(base)
  expect(again.attributes['usesAdHocDataView']).toBe(false)
})

test('a disabled filter is no pill, and orders of older exports are read', () => {
  expect(fieldFilterOf({ meta: { disabled: true }, query: { exists: { field: 'a' } } })).toBeUndefined()
  expect(stateOf(saved({ sort: ['@timestamp', 'asc'] })).sort).toEqual({ field: '@timestamp', direction: 'asc' })
  expect(stateOf(saved({ sort: [['@timestamp', 'desc']] })).sort).toEqual({ field: '@timestamp', direction: 'desc' })
})
