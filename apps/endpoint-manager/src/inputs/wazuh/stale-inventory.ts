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
  readonly #waiting = new Map<string, NodeJS.Timeout>()

  constructor({ search, logger }: { readonly search: SearchClient; readonly logger: Logger }, delay = delayMs) {
    this.#search = search
    this.#logger = logger
    this.#delayMs = delay
  }

  /**
   * Removes, after a minute, documents of these kinds of an agent's host that were written before the inventory began. One that began later takes the place of
   * one that waits: however often an agent says that it has told all, search is asked once a minute.
   */
  forget(agent: string, complete: CompleteInventory): void {
    const what = JSON.stringify([agent, complete.kinds, complete.keyPrefix])
    clearTimeout(this.#waiting.get(what))
    const timer = setTimeout(async () => {
      this.#waiting.delete(what)
      try {
        await this.#remove(agent, complete)
      } catch (thrown) {
        // It is tried again when the agent tells all of it the next time, a day later at the latest.
        this.#logger.warn({ agent }, `what a host has no more stays in its inventory: ${messageOf(thrown)}`)
      }
    }, this.#delayMs)
    this.#waiting.set(what, timer)
  }

  stop(): void {
    for (const timer of this.#waiting.values()) clearTimeout(timer)
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
