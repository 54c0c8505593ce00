import { AlertMaker } from '../alerts/alert-maker.ts'
import type { RuleState } from '../alerts/rule-state.ts'
import type { IdentifiedAlert } from '../channels/define-channel.ts'
import { Checkpoints } from '../events/checkpoints.ts'
import type { EventRange } from '../events/event-query.ts'
import type { ShardCheckpoint } from '../events/shards.ts'
import { nextTime } from '../rule-files/aggregation-schema.ts'
import type { Rule } from '../rule-files/rule.ts'
import type { RuleMatch, RunningRule } from '../rule-types/define-rule-type.ts'
import { isPast } from '../set-back.ts'
import { enrich } from './enrich.ts'
import { Forgotten } from './forgotten.ts'
import { Outbox } from './outbox.ts'
import { idleSaveMs, isOfFuture, type Run, type RunSurroundings } from './run.ts'

const tickEveryMs = 5000
/** By how much longer than it takes a write of what led to no alert is put off: windows with 100,000 keys are ten megabytes. */
const savePauseFactor = 20

/**
 * One rule on new events. Each event is given to the rule type once: the state after a page with alerts is written together with these, then
 * the alerts, and a start after a crash in between writes them again under the same ids. After an error it starts over from the written state.
 */
export class EventRun implements Run {
  readonly #rule: Rule
  #from: RunSurroundings
  readonly #checkpoints: Checkpoints
  readonly #running: RunningRule
  readonly #maker: AlertMaker
  readonly #outbox: Outbox
  readonly #forgotten: Forgotten
  #savedAt: number
  /** How long the last write took. */
  #saveMs = 0
  #tickedAt = Number.NEGATIVE_INFINITY
  #lastRun: number
  #dirty = false

  private constructor(rule: Rule, from: RunSurroundings, saved: RuleState | undefined) {
    this.#rule = rule
    this.#from = from
    this.#checkpoints = new Checkpoints(saved)
    this.#forgotten = new Forgotten(from.windowEventsMax, from.now)
    const isSame = saved?.fingerprint === rule.fingerprint && !isOfFuture(saved, from.now())
    const running = isSame ? saved.running : undefined
    this.#running = rule.type.start(rule.typeOptions, running, {
      windowEventsMax: from.windowEventsMax,
      queryKey: rule.queryKey,
      timestampField: rule.timestamp.field,
      bufferMs: rule.bufferMs ?? from.bufferMs,
      useTermsQuery: rule.reads === 'terms',
      forgot: () => this.#forgotten.note(),
    })
    this.#maker = new AlertMaker(rule, from, saved?.alerting)
    this.#outbox = new Outbox(saved?.outbox)
    this.#savedAt = from.now()
    this.#lastRun = Math.min(saved?.lastRun ?? from.now(), from.now())
  }

  /** Goes on from the rule's written state, and first writes the alerts that a crash may have kept back. */
  static async resume(rule: Rule, from: RunSurroundings): Promise<EventRun> {
    const run = new EventRun(rule, from, await from.states.load(rule.id))
    await run.#emptyOutbox()
    return run
  }

  /** Reads what is new in the given shards, unless the rule's schedule says to wait. */
  async round(shards: readonly ShardCheckpoint[], from: RunSurroundings): Promise<void> {
    this.#from = from
    const now = from.now()
    const { limitExecution } = this.#rule
    // A clock that was set back must not make the rule rest until then.
    const { lastRun, isNews } = this.#checkpoints.noticeClock(now, this.#lastRun, from.catchUpMsMax)
    this.#lastRun = lastRun
    this.#dirty ||= isNews
    if (limitExecution !== undefined && now < nextTime(limitExecution, this.#lastRun)) return
    await this.#learnBaseline(now)
    for (const shard of shards) this.#checkpoints.noticeRestart(shard)
    if (this.#rule.reads === 'events') {
      for (const shard of shards)
        while (this.#checkpoints.readUpTo(shard) < shard.checkpoint) await this.#readPage(shard)
    } else {
      const unread = (): ShardCheckpoint[] =>
        shards.filter((shard) => this.#checkpoints.readUpTo(shard) < shard.checkpoint)
      // Twice where the clock was ahead: first what was left out.
      for (let left = unread(); left.length > 0; left = unread()) await this.#count(left)
    }
    await this.#tick(now)
    this.#checkpoints.forgetOthers(shards)
    if (limitExecution !== undefined) this.#dirty = true
    this.#lastRun = now
    if (this.#dirty && (limitExecution !== undefined || isPast(this.#savedAt, idleSaveMs, from.now())))
      await this.#save()
  }

  get notice(): string | undefined {
    return this.#forgotten.notice
  }

  async stop(): Promise<void> {
    if (this.#dirty) await this.#save()
  }

  // A rule that must know the past asks for what is older than the events it will read.
  async #learnBaseline(now: number): Promise<void> {
    const wanted = this.#running.baseline?.()
    if (!wanted) return
    await this.#from.lookUps.baseline(this.#rule, wanted, now - this.#firstLookbackMs(), (field, values, time) =>
      this.#running.addBaseline?.(field, values, time),
    )
    this.#dirty = true
  }

  #firstLookbackMs(): number {
    return Math.max(this.#from.firstLookbackMs, this.#rule.lookbackMs)
  }

  #notBefore(shard: ShardCheckpoint, now: number): number {
    const { limitExecution, limitCoverage, bufferMs } = this.#rule
    if (limitExecution !== undefined && !limitCoverage) return now - (bufferMs ?? this.#from.bufferMs)
    const caughtUp = now - this.#from.catchUpMsMax
    // An index that came while the alerter was away is read from when it went.
    return this.#checkpoints.isNew(shard) ? Math.max(caughtUp, this.#lastRun - this.#firstLookbackMs()) : caughtUp
  }

  #rangeOf(shard: ShardCheckpoint, now: number): EventRange {
    return this.#checkpoints.rangeOf(shard, this.#notBefore(shard, now))
  }

  async #readPage(shard: ShardCheckpoint): Promise<void> {
    const now = this.#from.now()
    const { reader, pageEventsMax } = this.#from
    const eventsMax = Math.min(pageEventsMax, this.#rule.pageEventsMax ?? pageEventsMax)
    const page = await reader.readEvents(this.#rule, this.#rangeOf(shard, now), eventsMax)
    const matches = page.events.flatMap((event) => this.#running.add?.(event) ?? [])
    await this.#take(matches, now)
    this.#checkpoints.advance(shard, page.upTo)
    // A page that led to no alert is read again after a crash, and leads to none again.
    const isDue = isPast(this.#savedAt, this.#saveMs * savePauseFactor, now)
    await this.#keep(!this.#outbox.isEmpty || (isDue && page.events.length > 0))
  }

  /** Counts what is new in all shards together: what came at one time counts as one. */
  async #count(shards: readonly ShardCheckpoint[]): Promise<void> {
    const now = this.#from.now()
    const ranges = shards.map((shard) => this.#rangeOf(shard, this.#from.startedAt))
    const counts = await this.#from.reader.countEvents(this.#rule, ranges, this.#rule.reads === 'terms')
    const matches = this.#running.addCounts?.(now, counts) ?? []
    await this.#take(matches, now)
    for (const { shard } of ranges) this.#checkpoints.advance(shard, shard.checkpoint)
    // Counts that lead to no match are counted again after a crash: to write them at each poll would cost more than all else a quiet stack does.
    await this.#keep(matches.length > 0)
  }

  async #keep(isNews: boolean): Promise<void> {
    this.#dirty = true
    if (isNews) await this.#save()
    await this.#emptyOutbox()
  }

  async #tick(now: number): Promise<void> {
    if (!this.#running.tick || !isPast(this.#tickedAt, tickEveryMs, now)) return
    this.#tickedAt = now
    await this.#take(this.#running.tick(now - this.#rule.queryDelayMs), now)
    this.#dirty = true
    if (!this.#outbox.isEmpty) await this.#save()
    await this.#emptyOutbox()
  }

  async #take(matches: readonly RuleMatch[], now: number): Promise<void> {
    const made: IdentifiedAlert[] = []
    for (const match of matches) {
      if (!this.#maker.hears(match, now)) continue
      made.push(this.#maker.make(match, now, await enrich(this.#rule, match, this.#from.lookUps)))
    }
    this.#outbox.put(made)
  }

  async #emptyOutbox(): Promise<void> {
    if (await this.#outbox.empty(this.#from)) this.#dirty = true
  }

  async #save(): Promise<void> {
    const now = this.#from.now()
    const state: RuleState = {
      ...this.#checkpoints.save(),
      fingerprint: this.#rule.fingerprint,
      running: this.#running.save(),
      alerting: this.#maker.save(now),
      lastRun: this.#lastRun,
      outbox: this.#outbox.alerts,
    }
    await this.#from.states.save(this.#rule.id, state, now)
    this.#maker.saved(now)
    this.#savedAt = this.#from.now()
    this.#saveMs = Math.max(0, this.#savedAt - now)
    this.#dirty = false
  }
}
