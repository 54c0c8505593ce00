import { expect, test } from 'vitest'
import { discoverParameters } from './discover-link.ts'
import { savedEsqlRequest } from './saved-esql.ts'

const searchOf = (source: unknown) => ({
  attributes: { kibanaSavedObjectMeta: { searchSourceJSON: JSON.stringify(source) } },
})
const esql = 'FROM logs-* | LIMIT 5'

test('a saved search in ES|QL asks its query', () => {
  const index = { title: 'logs-*', timeFieldName: 'event.created' }
  expect(savedEsqlRequest(searchOf({ query: { esql }, index }))).toMatchObject({
    esql,
    index: 'logs-*',
    timeField: 'event.created',
  })
  expect(savedEsqlRequest(searchOf({ query: { esql } }))?.timeField).toBe('@timestamp')
  expect(savedEsqlRequest(searchOf({ query: { language: 'kuery', query: '' } }))).toBeUndefined()
})

test('Discover shows the same rows, unless a query bar narrows them', () => {
  const request = savedEsqlRequest(searchOf({ query: { esql } }))
  if (!request) throw new Error('no request')
  const pills = [{ field: 'a', value: 1 }]
  const context = {
    objects: new Map(),
    queries: [{ language: 'kuery', query: '' }],
    filters: [{}],
    pills,
    address: { range: { from: 'now-1h', to: 'now' } },
  }
  expect(Object.fromEntries(discoverParameters(request, context) ?? [])).toEqual({
    language: 'esql',
    query: esql,
    from: 'now-1h',
    to: 'now',
    filters: JSON.stringify(pills),
  })
  expect(discoverParameters(request, { ...context, queries: [{ language: 'kuery', query: 'a: 1' }] })).toBeUndefined()
  expect(discoverParameters(request, { ...context, filters: [{}, {}] })).toBeUndefined()
})
