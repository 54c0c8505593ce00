import { BulkRequest } from './bulk-request.ts'
import type { SearchClient } from './client.ts'

/** One action of a bulk request, with the document where the action has one. */
export interface BulkAction {
  readonly action: 'index' | 'create' | 'update' | 'delete'
  readonly index: string
  readonly id?: string
  readonly document?: unknown
}

/** What became of one action. 200 and 201 are done, 409 on `create` means it was there already, 429 and 5xx may be sent again. */
export interface BulkResult {
  readonly status: number
  readonly id: string | undefined
  readonly error: { readonly type: string; readonly reason: string } | undefined
}

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
