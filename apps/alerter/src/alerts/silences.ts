import { type AlertDocument, type AlertSilence, alertSilenceSchema, alertSilencesIndex } from '@logstack/contracts'
import { messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import type { SearchClient } from '@logstack/search-client'
import { ReadWhenWritten } from '../events/progress.ts'
import { isPast } from '../set-back.ts'

type Silenced = NonNullable<AlertDocument['logstack']['alert']['silenced']>

const silencesMax = 10_000
const readEveryMs = 5000

/** The silences that people set, as search has them. */
export class Silences {
  readonly #client: SearchClient
  readonly #logger: Logger
  #silences: readonly (AlertSilence & { readonly id: string })[] = []
  #readAt = Number.NEGATIVE_INFINITY
  readonly #read = new ReadWhenWritten()

  constructor(client: SearchClient, logger: Logger) {
    this.#client = client
    this.#logger = logger
  }

  /** Reads them again when their index was written to since (`ReadWhenWritten`), or without a mark when they are some seconds old. Rejects when search does not answer. */
  async refresh(now: number, mark?: string): Promise<void> {
    if (mark === undefined && !isPast(this.#readAt, readEveryMs, now)) return
    await this.#read.when(mark, () => this.#readAll(now))
    this.#readAt = now
  }

  async #readAll(now: number): Promise<void> {
    const { body } = await this.#client.request<{ hits: { hits: { _id: string; _source: unknown }[] } }>({
      method: 'POST',
      path: `/${alertSilencesIndex.name}/_search`,
      body: { size: silencesMax, query: { range: { until: { gt: new Date(now).toISOString() } } } },
    })
    this.#silences = body.hits.hits.flatMap(({ _id: id, _source: source }) => {
      const parsed = alertSilenceSchema.safeParse(source)
      if (parsed.success) return [{ id, ...parsed.data }]
      this.#logger.warn({ silence: id }, `silence not understood: ${messageOf(parsed.error)}`)
      return []
    })
  }

  /** The silence that a match of a rule falls under at `now`; the one that lasts longest. */
  of(ruleId: string, key: string, now: number): Silenced | undefined {
    const fitting = this.#silences
      .filter(({ from, until }) => Date.parse(from) <= now && now < Date.parse(until))
      .filter((silence) => (silence.rule ?? ruleId) === ruleId && (silence.key ?? key) === key)
      .sort((left, right) => Date.parse(right.until) - Date.parse(left.until))
    const [longest] = fitting
    return longest && { until: longest.until, by: longest.by, id: longest.id }
  }
}
