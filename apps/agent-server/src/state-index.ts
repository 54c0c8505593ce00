import { AppError, platformErrors } from '@logstack/errors'
import {
  type BulkAction,
  type BulkResult,
  type HiddenIndex,
  type SearchClient,
  sendBulk,
} from '@logstack/search-client'

interface Found<T> {
  readonly _id: string
  readonly _source: T
  readonly sort?: readonly unknown[]
}

/** A change that waits to be written; `resolve` gets the status that search gives it. */
interface Change {
  readonly action: BulkAction
  /** What is an answer, not a failure, beside a success: 409 where the document may be there, 404 where it may be gone. */
  readonly accept?: number
  readonly resolve: (status: number) => void
  readonly reject: (thrown: unknown) => void
}

const changesAtOnce = 1_000
/** Of one answer to a list; search refuses more than ten thousand. */
const listedAtOnce = 5_000

/** Documents of one hidden index by id. `T` is what the index holds; only agent-server writes there. */
export class StateIndex<T extends object> {
  readonly #client: SearchClient
  readonly #index: string
  readonly #name: string
  readonly #changes: Change[] = []
  #writing: Promise<void> | undefined

  constructor(client: SearchClient, index: HiddenIndex) {
    this.#client = client
    this.#index = index.name
    this.#name = encodeURIComponent(index.name)
  }

  async get(id: string): Promise<T | undefined> {
    const answer = await this.#client.request<{ found?: boolean; _source?: T }>({
      method: 'GET',
      path: this.#document(id),
      accept: [404],
    })
    return answer.status === 200 ? answer.body._source : undefined
  }

  /** Stores the document; a search that starts later sees it. What many ask for at one time goes in one request. */
  async put(id: string, document: T): Promise<void> {
    await this.#change({ action: 'index', index: this.#index, id, document })
  }

  /** Stores many documents; throws when any of them was not taken. */
  async putAll(entries: readonly { readonly id: string; readonly document: T }[]): Promise<void> {
    for (let at = 0; at < entries.length; at += changesAtOnce) {
      const results = await sendBulk(this.#client, entries.slice(at, at + changesAtOnce).map(this.#put), {})
      const refused = results.find((result) => result.status > 299)
      if (refused) throw this.#refusal(refused)
    }
  }

  /** Stores the document unless there is one with this id: false. */
  async create(id: string, document: T): Promise<boolean> {
    return (await this.#change({ action: 'create', index: this.#index, id, document }, 409)) !== 409
  }

  /** Removes the document, if there is one. */
  async remove(id: string): Promise<void> {
    await this.#change({ action: 'delete', index: this.#index, id }, 404)
  }

  /** At most `size` documents with their ids, the last changed last. */
  async list(size: number): Promise<{ id: string; document: T }[]> {
    const found: { id: string; document: T }[] = []
    let after: readonly unknown[] | undefined
    do {
      const answer = await this.#client.request<{ hits: { hits: Found<T>[] } }>({
        method: 'POST',
        path: `/${this.#name}/_search`,
        body: {
          size: Math.min(size - found.length, listedAtOnce),
          query: { match_all: {} },
          sort: [{ _seq_no: { order: 'asc' } }],
          ...(after ? { search_after: after } : {}),
        },
      })
      const { hits } = answer.body.hits
      for (const { _id, _source } of hits) found.push({ id: _id, document: _source })
      after = hits.length < listedAtOnce ? undefined : hits.at(-1)?.sort
    } while (after && found.length < size)
    return found
  }

  readonly #put = ({ id, document }: { readonly id: string; readonly document: T }): BulkAction => ({
    action: 'index',
    index: this.#index,
    id,
    document,
  })

  #change(action: BulkAction, accept?: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#changes.push({ action, resolve, reject, ...(accept === undefined ? {} : { accept }) })
      this.#writing ??= this.#writeChanges().finally(() => {
        this.#writing = undefined
      })
    })
  }

  async #writeChanges(): Promise<void> {
    while (this.#changes.length > 0) {
      const changes = this.#changes.splice(0, changesAtOnce)
      try {
        const results = await sendBulk(
          this.#client,
          changes.map(({ action }) => action),
          { refresh: 'true' },
        )
        for (const [at, { accept, resolve, reject }] of changes.entries()) {
          const result = results[at]
          if (result && (result.status < 300 || result.status === accept)) resolve(result.status)
          else reject(this.#refusal(result))
        }
      } catch (thrown) {
        for (const { reject } of changes) reject(thrown)
      }
    }
  }

  #refusal(result: BulkResult | undefined): AppError {
    const reason = result?.error?.reason ?? 'no reason given'
    return new AppError(platformErrors.search_refused, `search did not take ${result?.id} of ${this.#index}: ${reason}`)
  }

  #document(id: string): string {
    return `/${this.#name}/_doc/${encodeURIComponent(id)}`
  }
}
