import type { BulkAction, BulkResult } from './bulk-request.ts'
import { BulkRequest } from './bulk-request.ts'
import type { SearchClient } from './client.ts'

/** Sends actions in one `_bulk` request and answers one result an action, in order. */
export async function sendBulk(
  client: SearchClient,
  actions: readonly BulkAction[],
  query: { refresh?: 'true' | 'wait_for' } = {},
): Promise<BulkResult[]> {
  if (actions.length === 0) return []
  const bulk = new BulkRequest()
  for (const action of actions) bulk.add(action)
  const results = await bulk.send(client, query)
  bulk.release()
  return results.map((result, at) => ({ ...result, id: result.id ?? actions[at]?.id }))
}
