import type { Logger } from '@logstack/logging'
import type { SearchClient } from '@logstack/search-client'
import { expect, it } from 'vitest'
import { KnownAgents } from './known-agents.ts'

it('asks a search that is down once, however many strangers come', async () => {
  const warnings: unknown[] = []
  const logger = { warn: (text: unknown) => warnings.push(text) } as unknown as Logger
  const search = { request: () => Promise.reject(new Error('search is down')) } as unknown as SearchClient
  const agents = new KnownAgents({ search, logger })
  for (let stranger = 0; stranger < 20; stranger += 1) {
    expect(await agents.byId('777', '127.0.0.1')).toBeUndefined()
    expect(await agents.byAddress('192.0.2.1')).toBeUndefined()
  }
  expect(warnings).toHaveLength(1)
  await agents.stop()
})
