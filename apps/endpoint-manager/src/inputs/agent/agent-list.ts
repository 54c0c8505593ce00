import { AppError, agentsErrors, isAppError } from '@logstack/errors'
import type { SearchClient } from '@logstack/search-client'
import { limits } from '../../limits.ts'

const cachedMax = 20_000
/** Of one request. */
const askedMax = 1_000

interface Found {
  readonly _id: string
  readonly _source?: { readonly active?: boolean }
  readonly error?: { readonly type: string; readonly reason: string }
}

/** Agents that are asked for together: those that came while search was answering the question before. */
interface Question {
  readonly ids: Set<string>
  readonly active: Promise<ReadonlySet<string>>
}

/** Which agents are enrolled, asked of search now and then: a certificate outlives the enrolment. */
export class AgentList {
  readonly #client: Pick<SearchClient, 'request'>
  readonly #index: string
  readonly #now: () => number
  readonly #known = new Map<string, { readonly active: boolean; readonly until: number }>()
  /** The question that search answers now, or answered last. */
  #answered: Promise<unknown> = Promise.resolve()
  #next: Question | undefined

  /** `now` only goes on, in milliseconds: a clock that is set back must not let in whoever was taken off the list. */
  constructor(client: Pick<SearchClient, 'request'>, index: string, now: () => number) {
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
      return (await this.#askTogether(id)).has(id)
    } catch (thrown) {
      const last = this.#known.get(id)
      if (last) return last.active
      throw new AppError(agentsErrors.events_not_stored, 'search does not say whether the agent is enrolled', {
        cause: isAppError(thrown) ? thrown : undefined,
      })
    }
  }

  /** One question at a time, for all that came meanwhile: after a restart thousands of agents come within seconds. */
  #askTogether(id: string): Promise<ReadonlySet<string>> {
    if (!this.#next || this.#next.ids.size >= askedMax) {
      const ids = new Set<string>()
      const active = this.#answered.then(() => {
        if (this.#next?.ids === ids) this.#next = undefined
        return this.#activeOf([...ids])
      })
      this.#answered = active.catch(() => undefined)
      this.#next = { ids, active }
    }
    this.#next.ids.add(id)
    return this.#next.active
  }

  async #activeOf(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { body } = await this.#client.request<{ docs: readonly Found[] }>({
      method: 'POST',
      path: `/${this.#index}/_mget`,
      query: { _source_includes: 'active' },
      body: { ids },
    })
    // Before the first agent enrols there is no index; anything else that goes wrong says nothing of an agent.
    const failed = body.docs.find(({ error }) => error && error.type !== 'index_not_found_exception')
    if (failed) throw new Error(`search does not read agent [${failed._id}]: ${failed.error?.reason}`)
    return new Set(body.docs.filter(({ _source }) => _source?.active === true).map(({ _id }) => _id))
  }
}
