import { AppError, platformErrors } from '@logstack/errors'
import { type BulkResult, type HiddenIndex, type SearchClient, sendBulk } from '@logstack/search-client'

interface Found<T> {
  readonly _id: string
  readonly _source: T
}

interface Put<T> {
  readonly id: string
  readonly document: T
  readonly resolve: () => void
  readonly reject: (thrown: unknown) => void
}

const putsAtOnce = 1_000

/** Documents of one hidden index by id. `T` is what the index holds; only agent-server writes there. */
export class StateIndex<T extends object> {
  readonly #client: SearchClient
  readonly #index: string
  readonly #name: string
  readonly #puts: Put<T>[] = []
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
  put(id: string, document: T): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#puts.push({ id, document, resolve, reject })
      this.#writing ??= this.#writePuts().finally(() => {
        this.#writing = undefined
      })
    })
  }

  /** Stores many documents; throws when any of them was not taken. */
  async putAll(entries: readonly { readonly id: string; readonly document: T }[]): Promise<void> {
    for (let at = 0; at < entries.length; at += putsAtOnce) {
      const results = await this.#send(entries.slice(at, at + putsAtOnce), {})
      const refused = results.find((result) => result.status > 299)
      if (refused) throw this.#refusal(refused)
    }
  }

  /** Stores the document unless there is one with this id: false. */
  async create(id: string, document: T): Promise<boolean> {
    const answer = await this.#client.request({
      method: 'PUT',
      path: `/${this.#name}/_create/${encodeURIComponent(id)}`,
      query: { refresh: 'true' },
      body: document,
      accept: [409],
    })
    return answer.status !== 409
  }

  async remove(id: string): Promise<void> {
    await this.#client.request({
      method: 'DELETE',
      path: this.#document(id),
      query: { refresh: 'true' },
      accept: [404],
    })
  }

  /** At most `size` documents with their ids, in no order. */
  async list(size: number): Promise<{ id: string; document: T }[]> {
    const answer = await this.#client.request<{ hits: { hits: Found<T>[] } }>({
      method: 'POST',
      path: `/${this.#name}/_search`,
      body: { size, query: { match_all: {} } },
    })
    return answer.body.hits.hits.map(({ _id, _source }) => ({ id: _id, document: _source }))
  }

  async #writePuts(): Promise<void> {
    while (this.#puts.length > 0) {
      const puts = this.#puts.splice(0, putsAtOnce)
      try {
        const results = await this.#send(puts, { refresh: 'true' })
        for (const [at, { resolve, reject }] of puts.entries()) {
          const result = results[at]
          if (result && result.status < 300) resolve()
          else reject(this.#refusal(result))
        }
      } catch (thrown) {
        for (const { reject } of puts) reject(thrown)
      }
    }
  }

  #send(
    entries: readonly { readonly id: string; readonly document: T }[],
    query: { refresh?: 'true' },
  ): Promise<BulkResult[]> {
    const actions = entries.map(({ id, document }) => ({ action: 'index' as const, index: this.#index, id, document }))
    return sendBulk(this.#client, actions, query)
  }

  #refusal(result: BulkResult | undefined): AppError {
    const reason = result?.error?.reason ?? 'no reason given'
    return new AppError(platformErrors.search_refused, `search did not take ${result?.id} of ${this.#index}: ${reason}`)
  }

  #document(id: string): string {
    return `/${this.#name}/_doc/${encodeURIComponent(id)}`
  }
}
