import { alertOf } from './alerts/alert-document.ts'
import type { AlertStore } from './alerts/alert-store.ts'
import type { RuleState, RuleStateStore } from './alerts/rule-state.ts'
import type { IdentifiedAlert } from './channels/define-channel.ts'
import type { EventPage, EventRange } from './events/read-events.ts'
import type { ShardCheckpoint } from './events/shards.ts'
import type { Rule } from './rule-files/rule.ts'
import type { RuleEvent, RunningRule } from './rule-types/define-rule-type.ts'
import { Silence } from './silence.ts'

/** What a rule needs of the outside. */
export interface RuleSurroundings {
  readonly now: () => number
  readonly states: RuleStateStore
  readonly alerts: AlertStore
  readEvents(rule: Rule, range: EventRange): Promise<EventPage>
  /** Takes over alerts that were written and are to be notified of. */
  deliver(alerts: readonly IdentifiedAlert[]): void
  readonly windowEventsMax: number
  readonly firstLookbackMs: number
  readonly catchUpMsMax: number
  readonly webhookUrl: string
}

/** How long reads that found nothing stay unwritten: reading them again finds nothing again. */
const idleSaveMs = 30_000

/**
 * One rule at work. Each event is given to the rule type once: the state after a page is written together with the page's alerts, then the
 * alerts, and a start after a crash in between writes them again under the same ids. After an error it starts over from the written state.
 */
export class RuleRun {
  readonly #rule: Rule
  readonly #from: RuleSurroundings
  readonly #checkpoints: Map<string, number[]>
  readonly #running: RunningRule
  readonly #silence: Silence
  #outbox: readonly IdentifiedAlert[]
  #savedAt: number
  #dirty = false

  private constructor(rule: Rule, from: RuleSurroundings, saved: RuleState | undefined) {
    this.#rule = rule
    this.#from = from
    this.#checkpoints = new Map(Object.entries(saved?.checkpoints ?? {}).map(([index, list]) => [index, [...list]]))
    this.#running = rule.type.start(
      rule.typeOptions,
      saved?.fingerprint === rule.fingerprint ? saved.running : undefined,
      { windowEventsMax: from.windowEventsMax },
    )
    this.#silence = new Silence(saved?.silentUntil)
    this.#outbox = saved?.outbox ?? []
    this.#savedAt = from.now()
  }

  /** Goes on from the rule's written state, and first writes the alerts that a crash may have kept back. */
  static async resume(rule: Rule, from: RuleSurroundings): Promise<RuleRun> {
    const run = new RuleRun(rule, from, await from.states.load(rule.id))
    await run.#emptyOutbox()
    return run
  }

  /** Reads what is new in the given shards. */
  async readNew(shards: readonly ShardCheckpoint[]): Promise<void> {
    for (const shard of shards) {
      // Numbers only go back when an index was deleted and made again under its name: it is read as a new one.
      if (shard.checkpoint < this.#readUpTo(shard)) this.#checkpoints.delete(shard.index)
      while (this.#readUpTo(shard) < shard.checkpoint) await this.#readPage(shard)
    }
    this.#forgetOthers(shards)
    if (this.#dirty && this.#from.now() - this.#savedAt >= idleSaveMs) await this.#save()
  }

  /** Writes what is not written yet, for an orderly stop. */
  async stop(): Promise<void> {
    if (this.#dirty) await this.#save()
  }

  async #readPage(shard: ShardCheckpoint): Promise<void> {
    const now = this.#from.now()
    const isFirst = !this.#checkpoints.has(shard.index)
    const notBefore = now - (isFirst ? this.#from.firstLookbackMs : this.#from.catchUpMsMax)
    const page = await this.#from.readEvents(this.#rule, { shard, after: this.#readUpTo(shard), notBefore, now })
    this.#outbox = page.events.flatMap((event) => this.#alertsOf(event, now))
    this.#advance(shard, page.upTo)
    this.#dirty = true
    if (page.events.length > 0) await this.#save()
    await this.#emptyOutbox()
  }

  #alertsOf(event: RuleEvent, now: number): IdentifiedAlert[] {
    const match = this.#running.add(event)
    if (!match || !this.#silence.hears(event.key, now, this.#rule.realertMs)) return []
    return [alertOf(this.#rule, match, now, this.#from.webhookUrl)]
  }

  async #emptyOutbox(): Promise<void> {
    if (this.#outbox.length === 0) return
    const created = await this.#from.alerts.create(this.#outbox)
    this.#outbox = []
    this.#dirty = true
    this.#from.deliver(created)
  }

  #readUpTo({ index, shard }: ShardCheckpoint): number {
    return this.#checkpoints.get(index)?.[shard] ?? -1
  }

  #advance({ index, shard, shards }: ShardCheckpoint, upTo: number): void {
    const list = this.#checkpoints.get(index) ?? Array.from({ length: shards }, () => -1)
    list[shard] = upTo
    this.#checkpoints.set(index, list)
  }

  // Indices come and go with retention; those that are gone need no checkpoint.
  #forgetOthers(shards: readonly ShardCheckpoint[]): void {
    const there = new Set(shards.map(({ index }) => index))
    for (const index of this.#checkpoints.keys()) if (!there.has(index)) this.#checkpoints.delete(index)
  }

  async #save(): Promise<void> {
    const now = this.#from.now()
    const state: RuleState = {
      checkpoints: Object.fromEntries(this.#checkpoints),
      fingerprint: this.#rule.fingerprint,
      running: this.#running.save(),
      silentUntil: this.#silence.save(now),
      outbox: this.#outbox,
    }
    await this.#from.states.save(this.#rule.id, state, now)
    this.#savedAt = now
    this.#dirty = false
  }
}
