import { type AlertRule, alertRulesIndex } from '@logstack/contracts'
import { type SearchClient, sendBulk } from '@logstack/search-client'
import { z } from 'zod'

const writeEveryMs = 5000
const rulesMax = 10_000
const bulkActionsMax = 1000
const switchSchema = z.looseObject({ switched_off: z.boolean().optional(), state: z.string().optional() })

type Written = Omit<AlertRule, 'switched_off' | 'switched_by'>

/** How rules fare, kept in search for people to see; and which rules people switched off. */
export class RuleStatuses {
  readonly #client: SearchClient
  readonly #statuses = new Map<string, Written>()
  readonly #unwritten = new Set<string>()
  #off: ReadonlySet<string> = new Set()
  #writtenAt = Number.NEGATIVE_INFINITY

  constructor(client: SearchClient) {
    this.#client = client
  }

  /** Whether people switched a rule off, as of the last `readSwitches`. */
  isOff(id: string): boolean {
    return this.#off.has(id)
  }

  /** Reads the switches, and takes note of rules that were here before. */
  async readSwitches(): Promise<void> {
    const { body } = await this.#client.request<{ hits: { hits: { _id: string; _source: unknown }[] } }>({
      method: 'POST',
      path: `/${alertRulesIndex.name}/_search`,
      body: {
        size: rulesMax,
        _source: ['switched_off'],
        query: { term: { switched_off: true } },
      },
    })
    const off = body.hits.hits.filter(({ _source: source }) => switchSchema.safeParse(source).data?.switched_off)
    this.#off = new Set(off.map(({ _id: id }) => id))
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

  /** A rule ran at `now`: without an error, or with this one. */
  ran(id: string, now: number, error?: string): void {
    const before = this.#statuses.get(id)
    if (!before) return
    const next = {
      ...before,
      last_run: new Date(now).toISOString(),
      error: error === undefined ? null : { message: error.slice(0, 2000) },
    }
    // The time alone is written now and then only.
    if (JSON.stringify(before.error) !== JSON.stringify(next.error) || isOlder(before.last_run, now))
      this.#set(id, next)
  }

  /** A rule raised alerts. */
  matched(id: string, now: number, count: number): void {
    const before = this.#statuses.get(id)
    if (before)
      this.#set(id, { ...before, last_match: new Date(now).toISOString(), matches: (before.matches ?? 0) + count })
  }

  /** Writes what changed, every few seconds. Rejects when search does not take it; it is then written the next time. */
  async write(now: number, atOnce = false): Promise<void> {
    if (this.#unwritten.size === 0 || (!atOnce && now - this.#writtenAt < writeEveryMs)) return
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
  return lastRun === undefined || now - Date.parse(lastRun) > 30_000
}
