import { type AlertRule, alertRuleSchema, alertRulesIndex } from '@logstack/contracts'
import { type SearchClient, sendBulk } from '@logstack/search-client'
import { z } from 'zod'
import { ReadWhenWritten } from '../events/progress.ts'
import { isPast } from '../set-back.ts'

const writeEveryMs = 5000
const rulesMax = 10_000
const bulkActionsMax = 1000
const errorMax = 2000
const switchSchema = z.looseObject({ switched_off: z.boolean().optional() })
/** What is known of a rule's past when the alerter starts; all else comes from its file. */
const pastSchema = alertRuleSchema.pick({
  name: true,
  kind: true,
  type: true,
  file: true,
  last_run: true,
  last_match: true,
  matches: true,
})

type Written = Omit<AlertRule, 'switched_off' | 'switched_by'>

/** How rules fare, kept in search for people to see; and which rules people switched off. */
export class RuleStatuses {
  readonly #client: SearchClient
  readonly #statuses = new Map<string, Written>()
  readonly #unwritten = new Set<string>()
  #off: ReadonlySet<string> = new Set()
  #isLoaded = false
  readonly #read = new ReadWhenWritten()
  #writtenAt = Number.NEGATIVE_INFINITY

  constructor(client: SearchClient) {
    this.#client = client
  }

  /** The rules that people switched off, as of the last `readSwitches`; the very same set while nothing changed. */
  get off(): ReadonlySet<string> {
    return this.#off
  }

  /** Reads which rules people switched off, unless their index was not written to since (`ReadWhenWritten`), and at the first call what was written of all rules before. */
  readSwitches(mark?: string): Promise<void> {
    return this.#read.when(mark, () => this.#readSwitches())
  }

  async #readSwitches(): Promise<void> {
    const isFirst = !this.#isLoaded
    if (isFirst) await this.#load()
    const hits = await this.#search({ _source: ['switched_off'], query: { term: { switched_off: true } } })
    const off = hits.filter(({ _source: source }) => switchSchema.safeParse(source).data?.switched_off)
    // The first time, what was loaded of the past is to be compared with the rules that are there: they count as changed.
    if (isFirst || off.length !== this.#off.size || !off.every(({ _id: id }) => this.#off.has(id)))
      this.#off = new Set(off.map(({ _id: id }) => id))
  }

  async #load(): Promise<void> {
    const hits = await this.#search({
      _source: Object.keys(pastSchema.shape),
      query: { bool: { must_not: [{ term: { state: 'gone' } }] } },
    })
    for (const { _id: id, _source: source } of hits) {
      const past = pastSchema.safeParse(source)
      // A rule without a file is told apart by `setRules`, which marks it as gone.
      if (past.success && !this.#statuses.has(id)) this.#statuses.set(id, { state: 'off', error: null, ...past.data })
    }
    this.#isLoaded = true
  }

  async #search(body: Readonly<Record<string, unknown>>): Promise<{ _id: string; _source: unknown }[]> {
    const path = `/${alertRulesIndex.name}/_search`
    const answer = await this.#client.request<{ hits: { hits: { _id: string; _source: unknown }[] } }>({
      method: 'POST',
      path,
      body: { size: rulesMax, ...body },
    })
    return answer.body.hits.hits
  }

  /** The rules there are now; what was known of their runs stays. Rules that are gone are marked so. */
  setRules(rules: ReadonlyMap<string, Omit<Written, 'last_run' | 'last_match' | 'matches'>>): void {
    for (const [id, rule] of rules) {
      const { error, ...about } = rule
      const before = this.#statuses.get(id)
      const stays = about.state === 'running' && before?.state === 'running'
      this.#set(id, { ...before, ...about, error: stays ? before.error : error })
    }
    for (const [id, before] of this.#statuses)
      if (!rules.has(id) && before.state !== 'gone') this.#set(id, { ...before, state: 'gone' })
  }

  /** Rules ran together at `now`: without an error, or with this one. The time is written now and then only, and for the first of them. */
  ran(ids: readonly string[], now: number, error?: string): void {
    for (const [at, id] of ids.entries()) {
      const before = this.#statuses.get(id)
      if (!before) continue
      const isNews = (before.error?.message ?? undefined) !== error?.slice(0, errorMax)
      if (!isNews && (at > 0 || !isOlder(before.last_run, now))) continue
      this.#set(id, {
        ...before,
        last_run: new Date(now).toISOString(),
        error: error === undefined ? null : { message: error.slice(0, errorMax) },
      })
    }
  }

  /** A rule raised alerts. */
  matched(id: string, now: number, count: number): void {
    const before = this.#statuses.get(id)
    if (before)
      this.#set(id, { ...before, last_match: new Date(now).toISOString(), matches: (before.matches ?? 0) + count })
  }

  /** Writes what changed, every few seconds. Rejects when search does not take it; it is then written the next time. */
  async write(now: number, atOnce = false): Promise<void> {
    if (this.#unwritten.size === 0 || (!atOnce && !isPast(this.#writtenAt, writeEveryMs, now))) return
    this.#writtenAt = now
    const ids = [...this.#unwritten].slice(0, bulkActionsMax)
    const actions = ids.flatMap((id) => {
      const status = this.#statuses.get(id)
      return status
        ? [
            {
              action: 'update' as const,
              index: alertRulesIndex.name,
              id,
              document: { doc: status, doc_as_upsert: true },
            },
          ]
        : []
    })
    await sendBulk(this.#client, actions)
    for (const id of ids) this.#unwritten.delete(id)
  }

  #set(id: string, status: Written): void {
    if (JSON.stringify(this.#statuses.get(id)) === JSON.stringify(status)) return
    this.#statuses.set(id, status)
    this.#unwritten.add(id)
  }
}

function isOlder(lastRun: string | undefined, now: number): boolean {
  return lastRun === undefined || Math.abs(now - Date.parse(lastRun)) > 30_000
}
