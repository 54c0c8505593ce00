import { type WazuhAgent, wazuhAgentsIndex } from '@logstack/contracts'
import { messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import { type SearchClient, sendBulk } from '@logstack/search-client'

const writeEveryMs = 60_000
const writeSoonMs = 1_000
const batchMax = 1_000

/** What is heard of an agent. */
export type Heard = Pick<WazuhAgent, 'version' | 'os' | 'address' | 'last_seen' | 'connected' | 'sync'>

/** Writes what is heard of Wazuh agents into their entries: soon where one comes or goes, else once a minute. */
export class HeardAgents {
  readonly #search: SearchClient
  readonly #logger: Logger
  readonly #heard = new Map<string, Heard>()
  #timer: NodeJS.Timeout | undefined
  #due = Number.POSITIVE_INFINITY
  #writing: Promise<void> | undefined
  #isStopped = false

  constructor({ search, logger }: { readonly search: SearchClient; readonly logger: Logger }) {
    this.#search = search
    this.#logger = logger
  }

  /** Notes something about an agent, over what was noted before. */
  note(id: string, what: Heard, isNews: boolean): void {
    this.#heard.set(id, { ...this.#heard.get(id), ...what })
    this.#writeIn(isNews ? writeSoonMs : writeEveryMs)
  }

  /** Writes what is noted, with one try. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#writing
    await this.#write()
  }

  #writeIn(ms: number): void {
    const due = performance.now() + ms
    if (this.#isStopped || due >= this.#due) return
    clearTimeout(this.#timer)
    this.#due = due
    this.#timer = setTimeout(() => {
      this.#writing = (this.#writing ?? Promise.resolve()).then(() => {
        this.#due = Number.POSITIVE_INFINITY
        return this.#write()
      })
    }, ms)
  }

  async #write(): Promise<void> {
    const entries = [...this.#heard].slice(0, batchMax)
    if (entries.length === 0) return
    for (const [id] of entries) this.#heard.delete(id)
    try {
      const results = await sendBulk(
        this.#search,
        entries.map(([id, doc]) => ({ action: 'update', index: wazuhAgentsIndex.name, id, document: { doc } })),
      )
      // An agent that was removed meanwhile is 404.
      const refused = results.find(({ status }) => status >= 300 && status !== 404)
      if (refused) throw new Error(refused.error?.reason ?? `status ${refused.status}`)
      await this.#write()
    } catch (thrown) {
      this.#logger.warn(`what is heard of Wazuh agents is not written: ${messageOf(thrown)}`)
      for (const [id, what] of entries) this.#heard.set(id, { ...what, ...this.#heard.get(id) })
      this.#writeIn(writeEveryMs)
    }
  }
}
