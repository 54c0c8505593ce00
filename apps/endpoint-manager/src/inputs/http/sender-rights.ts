import { createHash } from 'node:crypto'
import { AppError, agentsErrors, isAppError } from '@logstack/errors'
import type { SearchClient } from '@logstack/search-client'

const rememberMs = 60_000
const rememberedMax = 1_000

/** Who may send events over HTTPS without being an agent: whoever search lets create documents in the data stream, by name and password or API key. */
export class SenderRights {
  readonly #search: SearchClient
  readonly #now: () => number
  /** Hash of credentials and data stream → until when they are known to be good. */
  readonly #known = new Map<string, number>()

  /** `now` only goes on, in milliseconds, whatever happens to the clock. */
  constructor(search: SearchClient, now: () => number) {
    this.#search = search
    this.#now = now
  }

  /** Throws `sender_unauthenticated` or `sender_forbidden`; asks search at most once a minute for the same credentials. */
  async require(authorization: string | undefined, stream: string): Promise<void> {
    if (authorization === undefined) throw unauthenticated()
    const key = createHash('sha256')
      .update(JSON.stringify([authorization, stream]))
      .digest('base64')
    if ((this.#known.get(key) ?? 0) > this.#now()) return
    if (!(await this.#mayCreate(authorization, stream))) {
      throw new AppError(agentsErrors.sender_forbidden, `these credentials may not create documents in [${stream}]`)
    }
    if (this.#known.size >= rememberedMax) this.#known.clear()
    this.#known.set(key, this.#now() + rememberMs)
  }

  async #mayCreate(authorization: string, stream: string): Promise<boolean> {
    try {
      const { body } = await this.#search.request<{ has_all_requested?: boolean }>({
        method: 'POST',
        path: '/_security/user/_has_privileges',
        headers: { authorization },
        body: { index: [{ names: [stream], privileges: ['create_doc'] }] },
      })
      return body.has_all_requested === true
    } catch (thrown) {
      if (isAppError(thrown) && thrown.kind === 'unauthenticated') throw unauthenticated()
      throw thrown
    }
  }
}

function unauthenticated(): AppError {
  return new AppError(agentsErrors.sender_unauthenticated, 'this needs a user of search or an API key', {
    fix: 'send Authorization: Basic … or ApiKey … of an account that may create documents in logs-*',
  })
}
