import type { SearchClient } from '@logstack/search-client'
import { expect, it } from 'vitest'
import { readClientKeys } from './client-keys.ts'
import { importWazuhAgents } from './import-agents.ts'

/** A search without agents that takes one request of `_bulk`, answers `status` to each of its actions, and is gone then. */
function failingSearch(status: number): SearchClient {
  let bulks = 0
  const request = async ({ path, body }: { path: string; body?: unknown }): Promise<unknown> => {
    if (path.endsWith('/_search')) return { status: 200, body: { hits: { hits: [] } } }
    if (path !== '/_bulk') return { status: 200, body: {} }
    bulks += 1
    if (bulks > 1) throw new Error('connection refused')
    const actions = String(body).split('\n').length / 2
    const item = { create: { status, ...(status < 300 ? {} : { error: { type: 'cluster_block_exception' } }) } }
    return { status: 200, body: { items: Array.from({ length: Math.floor(actions) }, () => item) } }
  }
  return { capabilities: async () => ({ product: 'logstack' }), request } as unknown as SearchClient
}

const entries = (count: number) =>
  readClientKeys(Array.from({ length: count }, (_, n) => `${1000 + n} pc-${n} any ${'a'.repeat(64)}`).join('\n'))
    .entries
const options = { replace: false, at: '2026-11-28T08:00:00.000Z' }

it('says how far an import was that search cut off', async () => {
  await expect(importWazuhAgents(failingSearch(201), entries(2_500), options)).rejects.toMatchObject({
    code: 'part_refused',
    message: 'search took 1000 of 2500 agents, then: connection refused',
    fix: expect.stringContaining('import the file again'),
  })
})

it('names each line that search refused', async () => {
  expect(await importWazuhAgents(failingSearch(403), entries(2), options)).toEqual({
    added: 0,
    replaced: 0,
    unchanged: 0,
    refused: [1, 2].map((line) => ({
      line,
      because: 'search',
      why: `search refused agent ${999 + line}: cluster_block_exception`,
    })),
  })
})
