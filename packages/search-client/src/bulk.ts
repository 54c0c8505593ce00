import { BulkBody } from './bulk-body.ts'
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

interface RawItem {
  status: number
  _id?: string
  error?: { type: string; reason: string }
}

/** Sends actions in one `_bulk` request and answers one result an action, in order. */
export async function sendBulk(
  client: SearchClient,
  actions: readonly BulkAction[],
  query: { refresh?: 'true' | 'wait_for' } = {},
): Promise<BulkResult[]> {
  if (actions.length === 0) return []
  const body = new BulkBody()
  for (const { action, index, id, document } of actions) {
    body.addAction(action, index, id)
    if (action !== 'delete') body.addLine(JSON.stringify(document))
  }
  // What nobody reads is not written: of ids only those that search makes.
  const shown = [
    'errors',
    'items.*.status',
    'items.*.error',
    ...(actions.some(({ id }) => id === undefined) ? ['items.*._id'] : []),
  ]
  const response = await client.request<{ items: Record<string, RawItem>[] }>({
    method: 'POST',
    path: '/_bulk',
    query: { ...query, filter_path: shown.join(',') },
    body: body.bytes,
    contentType: 'application/x-ndjson',
  })
  // Only now: whoever took every line has read them all, while a body that was refused may still be on its way.
  body.release()
  return response.body.items.map((item, at) => {
    const raw = Object.values(item)[0]
    if (!raw) throw new Error('BUG: bulk item without an action')
    return { status: raw.status, id: raw._id ?? actions[at]?.id, error: raw.error }
  })
}
