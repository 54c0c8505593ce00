import { AppError, platformErrors } from '@logstack/errors'
import { type HiddenIndex, type SearchClient, sendBulk } from '@logstack/search-client'

interface Found<T> {
  readonly _id: string
  readonly _source: T
}

/** Documents of one hidden index by id. `T` is what the index holds; only agent-server writes there. */
export class StateIndex<T extends object> {
  readonly #client: SearchClient
  readonly #index: string
  readonly #name: string

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

  /** Stores the document; a search that starts later sees it. */
  async put(id: string, document: T): Promise<void> {
    await this.#client.request({
      method: 'PUT',
      path: this.#document(id),
      query: { refresh: 'true' },
      body: document,
    })
  }

  /** Stores many documents in one request; throws when any of them was not taken. */
  async putAll(entries: readonly { readonly id: string; readonly document: T }[]): Promise<void> {
    const actions = entries.map(({ id, document }) => ({ action: 'index' as const, index: this.#index, id, document }))
    const results = await sendBulk(this.#client, actions)
    const refused = results.find((result) => result.status > 299)
    if (!refused) return
    const reason = refused.error?.reason ?? 'no reason given'
    throw new AppError(platformErrors.search_refused, `search did not take ${refused.id} of ${this.#index}: ${reason}`)
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

  #document(id: string): string {
    return `/${this.#name}/_doc/${encodeURIComponent(id)}`
  }
}
