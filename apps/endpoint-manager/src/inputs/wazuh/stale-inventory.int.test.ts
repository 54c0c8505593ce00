import { createLogger } from '@logstack/logging'
import { SearchClient } from '@logstack/search-client'
import { startSearch, type TestSearch } from '@logstack/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { StaleInventory } from './stale-inventory.ts'

const strings = { match_mapping_type: 'string', mapping: { type: 'keyword' } }
const template = {
  index_patterns: ['endpoint-*'],
  template: {
    mappings: {
      dynamic_templates: [{ strings }],
      properties: { event: { properties: { ingested: { type: 'date' } } } },
    },
  },
}
const waitLimitMs = 60_000
let server: TestSearch
let search: SearchClient

beforeAll(async () => {
  server = await startSearch()
  const { url, ca, username, password } = server
  search = new SearchClient({ url, ca, credentials: { username, password } })
  await search.request({ method: 'PUT', path: '/_index_template/endpoint', body: template })
}, 120_000)
afterAll(async () => {
  search?.close()
  await server?.stop()
})

function put(agent: string, kind: string, key: string, ingested: string) {
  return search.request({
    method: 'PUT',
    path: `/endpoint-inventory/_doc/${encodeURIComponent(`${agent}-${kind}-${key}`)}`,
    query: { refresh: 'true' },
    body: { agent: { id: agent }, event: { ingested }, logstack: { inventory: { kind, key } } },
  })
}

async function ids(): Promise<string[]> {
  const { body } = await search.request<{ hits: { hits: { _id: string }[] } }>({
    method: 'POST',
    path: '/endpoint-inventory/_search',
    body: { size: 100 },
  })
  return body.hits.hits.map(({ _id }) => _id).sort()
}

async function untilIds(expected: readonly string[]): Promise<void> {
  for (const deadline = Date.now() + waitLimitMs; ; ) {
    await search.request({ method: 'POST', path: '/endpoint-inventory/_refresh' })
    const now = await ids()
    if (now.length <= expected.length || Date.now() > deadline) return expect(now).toEqual(expected)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

it('removes what an agent did not tell any more of the kinds that it told in whole, and nothing else', async () => {
  const [before, after] = ['2026-11-01T00:00:00.000Z', '2026-11-01T02:00:00.000Z']
  for (const agent of ['wazuh-001', 'wazuh-002']) {
    await put(agent, 'package', 'gone', before)
    await put(agent, 'package', 'kept', after)
    await put(agent, 'port', 'kept', before)
    await put(agent, 'check', 'a/1', before)
    await put(agent, 'check', 'b/1', before)
  }
  const since = Date.parse('2026-11-01T01:00:00Z')
  const stale = new StaleInventory({ search, logger: createLogger('endpoint-manager', 'silent') }, 0)
  stale.forget('wazuh-001', { kinds: ['package', 'library'], since })
  stale.forget('wazuh-001', { kinds: ['check'], keyPrefix: 'a/', since })
  const kept = ['check-b/1', 'package-kept', 'port-kept'].map((name) => `wazuh-001-${name}`)
  const others = ['check-a/1', 'check-b/1', 'package-gone', 'package-kept', 'port-kept'].map(
    (name) => `wazuh-002-${name}`,
  )
  await untilIds([...kept, ...others])
  stale.stop()
})
