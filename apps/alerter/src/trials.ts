import { type RuleTrial, ruleTrialSchema, ruleTrialsIndex, type TriedRule } from '@logstack/contracts'
import { messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import type { SearchClient } from '@logstack/search-client'
import { tryRule } from './commands/try-rule.ts'
import type { RulesFolder } from './rule-files/rules-folder.ts'

const trialMsMax = 60_000
const keptMs = 3_600_000
const cleanEveryMs = 600_000
const shownMax = 200

/** What test runs need of the outside. */
export interface TrialSurroundings {
  readonly client: SearchClient
  readonly logger: Logger
  readonly now: () => number
  /** The rules folder as it was last read; undefined before it was. */
  folder(): RulesFolder | undefined
}

/** Answers the test runs of rules that people ask for in the dashboard, one at a time, beside the rules that run. */
export class Trials {
  readonly #from: TrialSurroundings
  #busy: Promise<void> | undefined
  #cleanedAt = Number.NEGATIVE_INFINITY
  /** The mark of the index when nothing was left to do. */
  #doneWith: string | undefined

  constructor(from: TrialSurroundings) {
    this.#from = from
  }

  /**
   * Takes up what was asked for, unless one is at work; does not wait for it. Where nothing was left, it looks again only when the index was written to since
   * (`ReadWhenWritten`). Rejects when search does not answer.
   */
  async look(mark?: string): Promise<void> {
    const folder = this.#from.folder()
    if (this.#busy || !folder) return
    await this.#clean()
    if (mark !== undefined && mark === this.#doneWith) return
    const next = await this.#next()
    if (!next) {
      this.#doneWith = mark
      return
    }
    this.#busy = this.#run(next.id, next.trial, folder).finally(() => {
      this.#busy = undefined
    })
  }

  /** Resolves when nothing is at work. */
  async stop(): Promise<void> {
    await this.#busy
  }

  async #next(): Promise<{ readonly id: string; readonly trial: RuleTrial } | undefined> {
    const { body } = await this.#from.client.request<{ hits: { hits: { _id: string; _source: unknown }[] } }>({
      method: 'POST',
      path: `/${ruleTrialsIndex.name}/_search`,
      // One that was at work when the alerter ended is not tried again: it may have been the reason.
      body: { size: 1, query: { terms: { state: ['asked', 'running'] } }, sort: [{ asked: 'asc' }] },
    })
    const [hit] = body.hits.hits
    if (!hit) return undefined
    const trial = ruleTrialSchema.safeParse(hit._source)
    const why = trial.success
      ? trial.data.state === 'running'
        ? 'the alerter ended during the test run'
        : undefined
      : messageOf(trial.error)
    if (trial.success && why === undefined) return { id: hit._id, trial: trial.data }
    await this.#write(hit._id, { state: 'failed', error: why ?? '' })
    return undefined
  }

  async #run(id: string, { text, from, to }: RuleTrial, folder: RulesFolder): Promise<void> {
    const { client, logger, now } = this.#from
    try {
      await this.#write(id, { state: 'running' })
      const input = { text, from: Date.parse(from), to: Date.parse(to) }
      const limits = { shownMax, until: now() + trialMsMax, now, isFromPeople: true }
      const answer: TriedRule = await tryRule(input, client, folder, limits)
      await this.#write(id, { state: 'done', answer })
    } catch (thrown) {
      logger.warn({ err: thrown }, `test run of a rule: ${messageOf(thrown)}`)
      await this.#write(id, { state: 'failed', error: messageOf(thrown).slice(0, 2000) }).catch((again: unknown) =>
        logger.warn({ err: again }, `test run of a rule not written: ${messageOf(again)}`),
      )
    }
  }

  async #write(id: string, doc: Partial<RuleTrial>): Promise<void> {
    await this.#from.client.request({
      method: 'POST',
      path: `/${ruleTrialsIndex.name}/_update/${encodeURIComponent(id)}`,
      query: { refresh: 'true' },
      body: { doc },
      accept: [404],
    })
  }

  async #clean(): Promise<void> {
    const now = this.#from.now()
    if (now >= this.#cleanedAt && now - this.#cleanedAt < cleanEveryMs) return
    this.#cleanedAt = now
    await this.#from.client.request({
      method: 'POST',
      path: `/${ruleTrialsIndex.name}/_delete_by_query`,
      query: { conflicts: 'proceed' },
      body: { query: { range: { asked: { lt: new Date(now - keptMs).toISOString() } } } },
    })
  }
}
