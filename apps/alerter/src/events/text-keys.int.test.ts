import { SearchClient } from '@logstack/search-client'
import { startSearch, type TestSearch } from '@logstack/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { searchCounting } from './text-keys.ts'

let search: TestSearch
let client: SearchClient

beforeAll(async () => {
  search = await startSearch()
  const credentials = { username: 'elastic', password: search.password }
  client = new SearchClient({ url: search.url, ca: search.ca, credentials })
  const keyword = { properties: { host: { properties: { name: { type: 'keyword' } } } } }
  const text = { properties: { host: { properties: { name: { type: 'text' } } }, user: { type: 'text' } } }
  for (const [index, mappings] of Object.entries({ 'keys-a': keyword, 'keys-b': text })) {
    await client.request({ method: 'PUT', path: `/${index}`, body: { mappings } })
    const body = { host: { name: 'Web 1' }, user: 'ann' }
    await client.request({ method: 'PUT', path: `/${index}/_doc/1`, query: { refresh: true }, body })
  }
}, 180_000)

afterAll(async () => {
  client.close()
  await search.stop()
}, 60_000)

const query = { allow_partial_search_results: false }

test('events are counted by a field also where an index maps it as text, whole as they were sent', async () => {
  const aggs = { hosts: { terms: { field: 'host.name' }, aggs: { users: { terms: { field: 'user' } } } } }
  const body = { size: 0, aggs }
  const answer = await searchCounting(client, { method: 'POST', path: '/keys-*/_search', query, body })
  expect(answer).toMatchObject({
    aggregations: { hosts: { buckets: [{ key: 'Web 1', doc_count: 2, users: { buckets: [{ key: 'ann' }] } }] } },
  })
})

test('what else search refuses is thrown as it is', async () => {
  const body = { size: 0, aggs: { sum: { sum: { field: 'host.name' } } } }
  await expect(searchCounting(client, { method: 'POST', path: '/keys-a/_search', query, body })).rejects.toThrow('sum')
})
