import type { Logger } from '@logstack/logging'
import type { SearchClient } from '@logstack/search-client'
import { expect, it, vi } from 'vitest'
import { StaleInventory } from './stale-inventory.ts'

it('asks search once, with the newest, however often an agent says that it has told all', async () => {
  const asked: string[] = []
  const request = async ({ body }: { body: unknown }) => void asked.push(JSON.stringify(body))
  const stale = new StaleInventory(
    { search: { request } as unknown as SearchClient, logger: {} as unknown as Logger },
    0,
  )
  for (let since = 0; since < 1_000; since += 1) stale.forget('wazuh-001', { kinds: ['port'], since })
  stale.forget('wazuh-001', { kinds: ['package'], since: 0 })
  stale.forget('wazuh-002', { kinds: ['port'], since: 0 })
  await vi.waitFor(() => expect(asked).toHaveLength(3))
  expect(asked[0]).toContain('1970-01-01T00:00:00.999Z')
})
