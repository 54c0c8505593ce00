import { messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import type { SearchClient } from '@logstack/search-client'
import { inventoryIndex } from '../../inventory/current-state.ts'
import type { CompleteInventory } from './inventory-sync.ts'

/** So long the newest documents of an inventory may be on their way to search. */
const delayMs = 60_000
const limitMs = 120_000

/** Removes what hosts of Wazuh agents have no more, once all that they have was taken in: that it went is never told of what went while nobody listened. */
export class StaleInventory {
  readonly #search: SearchClient
  readonly #logger: Logger
  readonly #delayMs: number
  readonly #waiting = new Set<NodeJS.Timeout>()

  constructor({ search, logger }: { readonly search: SearchClient; readonly logger: Logger }, delay = delayMs) {
    this.#search = search
    this.#logger = logger
    this.#delayMs = delay
  }

  /** Removes, after a minute, documents of these kinds of an agent's host that were written before the inventory began. */
  forget(agent: string, complete: CompleteInventory): void {
    const timer = setTimeout(async () => {
      this.#waiting.delete(timer)
      try {
        await this.#remove(agent, complete)
      } catch (thrown) {
        // It is tried again when the agent tells all of it the next time, a day later at the latest.
        this.#logger.warn({ agent }, `what a host has no more stays in its inventory: ${messageOf(thrown)}`)
      }
    }, this.#delayMs)
    this.#waiting.add(timer)
  }

  stop(): void {
    for (const timer of this.#waiting) clearTimeout(timer)
  }

  async #remove(agent: string, { kinds, keyPrefix, since }: CompleteInventory): Promise<void> {
    const filter: object[] = [
      { term: { 'agent.id': agent } },
      { terms: { 'logstack.inventory.kind': kinds } },
      { range: { 'event.ingested': { lt: new Date(since).toISOString() } } },
    ]
    if (keyPrefix !== undefined) filter.push({ prefix: { 'logstack.inventory.key': keyPrefix } })
    await this.#search.request({
      method: 'POST',
      path: `/${inventoryIndex}/_delete_by_query`,
      query: { conflicts: 'proceed', ignore_unavailable: true },
      body: { query: { bool: { filter } } },
      timeoutMs: limitMs,
    })
  }
}
