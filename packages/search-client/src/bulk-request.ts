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

/**
 * A `_bulk` request that is made action by action: nothing but bytes is kept of them. Whoever holds thousands of documents until search has answered
 * has them copied by the garbage collector meanwhile, which costs more than reading back the few that are needed again.
 */
export class BulkRequest {
  readonly #body = new BulkBody()
  /** Where the lines of each action begin, and where those of the last one end. */
  readonly #starts = [0]
  #needsIds = false

  /** How many actions there are. */
  get size(): number {
    return this.#starts.length - 1
  }

  add({ action, index, id, document }: BulkAction): void {
    if (id === undefined) this.#needsIds = true
    this.#body.addAction(action, index, id)
    if (action !== 'delete') this.#body.addLine(JSON.stringify(document))
    this.#starts.push(this.#body.length)
  }

  /** An action as search reads it; not any more once `release` was called. */
  actionAt(at: number): BulkAction {
    const lines = this.#body.bytes.toString('utf8', this.#starts[at] ?? 0, this.#starts[at + 1] ?? 0).split('\n')
    const [[action, target] = []] = Object.entries(JSON.parse(lines[0] ?? '') as Record<string, Target>)
    if (!target) throw new Error('BUG: no such action')
    const document = action === 'delete' ? {} : { document: JSON.parse(lines[1] ?? '') as unknown }
    const id = target._id === undefined ? {} : { id: target._id }
    return { action: action as BulkAction['action'], index: target._index, ...id, ...document }
  }

  /** Sends the actions in one request and answers one result an action, in order; the id is there where search made it. */
  async send(client: SearchClient, query: { refresh?: 'true' | 'wait_for' } = {}): Promise<BulkResult[]> {
    // What nobody reads is not written: of ids only those that search makes.
    const shown = ['errors', 'items.*.status', 'items.*.error', ...(this.#needsIds ? ['items.*._id'] : [])]
    const response = await client.request<{ items: Record<string, RawItem>[] }>({
      method: 'POST',
      path: '/_bulk',
      query: { ...query, filter_path: shown.join(',') },
      body: this.#body.bytes,
      contentType: 'application/x-ndjson',
    })
    return response.body.items.map((item) => {
      const raw = Object.values(item)[0]
      if (!raw) throw new Error('BUG: bulk item without an action')
      return { status: raw.status, id: raw._id, error: raw.error }
    })
  }

  /**
   * Leaves the memory to another request, once search has answered: whoever took every line has read them all, while a body that was refused may
   * still be on its way.
   */
  release(): void {
    this.#body.release()
  }
}

interface Target {
  readonly _index: string
  readonly _id?: string
}
