import { AppError, agentsErrors, isAppError } from '@logstack/errors'
import type { SearchClient } from '@logstack/search-client'
import { limits } from '../../limits.ts'

const cachedMax = 20_000

/** Which agents are enrolled, asked of search now and then: a certificate outlives the enrolment. */
export class AgentList {
  readonly #client: SearchClient
  readonly #index: string
  readonly #now: () => number
  readonly #known = new Map<string, { readonly active: boolean; readonly until: number }>()

  constructor(client: SearchClient, index: string, now: () => number) {
    this.#client = client
    this.#index = index
    this.#now = now
  }

  /** Throws `agent_revoked` for an agent that is not enrolled (any more). While search does not answer, the last answer counts. */
  async requireActive(id: string): Promise<void> {
    const known = this.#known.get(id)
    const active = known && known.until > this.#now() ? known.active : await this.#ask(id)
    if (!active) throw new AppError(agentsErrors.agent_revoked, `agent [${id}] is not enrolled`)
  }

  async #ask(id: string): Promise<boolean> {
    const active = await this.#isActive(id)
    if (this.#known.size >= cachedMax) this.#known.clear()
    this.#known.set(id, { active, until: this.#now() + limits.agentCacheMs })
    return active
  }

  async #isActive(id: string): Promise<boolean> {
    try {
      const answer = await this.#client.request<{ _source?: { active?: boolean } }>({
        method: 'GET',
        path: `/${this.#index}/_doc/${encodeURIComponent(id)}`,
        accept: [404],
      })
      return answer.status === 200 && answer.body._source?.active === true
    } catch (thrown) {
      const last = this.#known.get(id)
      if (last) return last.active
      throw new AppError(agentsErrors.events_not_stored, 'search does not say whether the agent is enrolled', {
        cause: isAppError(thrown) ? thrown : undefined,
      })
    }
  }
}
