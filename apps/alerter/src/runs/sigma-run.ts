import type { Correlations, Finding, SigmaCorrelation, SigmaRule } from '@logstack/rules'
import { z } from 'zod'
import { AlertMaker } from '../alerts/alert-maker.ts'
import type { RuleState } from '../alerts/rule-state.ts'
import type { IdentifiedAlert } from '../channels/define-channel.ts'
import { Checkpoints } from '../events/checkpoints.ts'
import type { EventPage } from '../events/read-events.ts'
import type { ShardCheckpoint } from '../events/shards.ts'
import type { AlertingRule } from '../rule-files/rule.ts'
import type { RuleEvent, RuleMatch } from '../rule-types/define-rule-type.ts'
import { keyOf } from '../rule-values/field-values.ts'
import { isPast } from '../set-back.ts'
import type { SigmaSet } from '../sigma/sigma-set.ts'
import { Forgotten } from './forgotten.ts'
import { Outbox } from './outbox.ts'
import { idleSaveMs, isOfFuture, type Run, type RunSurroundings } from './run.ts'

/** The id under which the state of all Sigma rules is kept. */
export const sigmaWorkId = '~sigma'
const everyEvent = {
  filter: [],
  timestamp: { field: '@timestamp', type: 'iso', format: '' },
  queryKey: [],
  termsSize: 1,
} as const

const savedSchema = z.object({ correlations: z.unknown(), makers: z.record(z.string(), z.unknown()) })

/** All Sigma rules on new events: each event is read once and shown to all of them. Its state is written as that of a single rule is. */
export class SigmaRun implements Run {
  readonly #set: SigmaSet
  #from: RunSurroundings
  readonly #checkpoints: Checkpoints
  readonly #correlations: Correlations
  readonly #makers = new Map<string, AlertMaker>()
  readonly #savedMakers: Readonly<Record<string, unknown>>
  readonly #outbox: Outbox
  readonly #forgotten = new Map<string, Forgotten>()
  #savedAt: number
  #lastRun: number
  #dirty = false

  private constructor(set: SigmaSet, from: RunSurroundings, saved: RuleState | undefined) {
    this.#set = set
    this.#from = from
    this.#checkpoints = new Checkpoints(saved)
    const alerting = savedSchema.safeParse(saved?.alerting).data
    const windows = isOfFuture(saved, from.now()) ? undefined : alerting?.correlations
    const limits = { entriesMax: from.windowEventsMax, forgot: ({ id }: SigmaCorrelation) => this.#noteForgotten(id) }
    this.#correlations = set.correlations(limits, windows)
    this.#savedMakers = alerting?.makers ?? {}
    this.#outbox = new Outbox(saved?.outbox)
    this.#savedAt = from.now()
    this.#lastRun = Math.min(saved?.lastRun ?? from.now(), from.now())
  }

  /** Goes on from the written state, and first writes the alerts that a crash may have kept back. */
  static async resume(set: SigmaSet, from: RunSurroundings): Promise<SigmaRun> {
    const run = new SigmaRun(set, from, await from.states.load(sigmaWorkId))
    await run.#emptyOutbox()
    return run
  }

  async round(shards: readonly ShardCheckpoint[], from: RunSurroundings): Promise<void> {
    this.#from = from
    const { lastRun, isNews } = this.#checkpoints.noticeClock(from.now(), this.#lastRun, from.catchUpMsMax)
    this.#lastRun = lastRun
    this.#dirty ||= isNews
    for (const shard of shards) {
      this.#checkpoints.noticeRestart(shard)
      // Twice where the clock was ahead: first what was left out.
      while (this.#checkpoints.readUpTo(shard) < shard.checkpoint) await this.#readShard(shard)
    }
    this.#checkpoints.forgetOthers(shards)
    this.#lastRun = from.now()
    if (this.#dirty && isPast(this.#savedAt, idleSaveMs, from.now())) await this.#save()
  }

  /** Of each correlation that had to forget keys of late. */
  get notices(): ReadonlyMap<string, string> {
    const notices = new Map<string, string>()
    for (const [id, { notice }] of this.#forgotten) if (notice !== undefined) notices.set(id, notice)
    return notices
  }

  async stop(): Promise<void> {
    if (this.#dirty) await this.#save()
  }

  #noteForgotten(id: string): void {
    const forgotten = this.#forgotten.get(id) ?? new Forgotten(this.#from.windowEventsMax, this.#from.now)
    forgotten.note()
    this.#forgotten.set(id, forgotten)
  }

  // Search finds the next page while the rules look at this one and its alerts are written.
  async #readShard(shard: ShardCheckpoint): Promise<void> {
    const caughtUp = this.#from.now() - this.#from.catchUpMsMax
    // An index that came while the alerter was away is read from when it went.
    const isNew = this.#checkpoints.isNew(shard)
    const notBefore = isNew ? Math.max(caughtUp, this.#lastRun - this.#from.firstLookbackMs) : caughtUp
    const range = this.#checkpoints.rangeOf(shard, notBefore)
    const read = (after: number): Promise<EventPage> =>
      this.#from.reader.readEvents(everyEvent, { ...range, after }, this.#from.pageEventsMax)
    let next: Promise<EventPage> | undefined = read(range.after)
    while (next !== undefined) {
      const page: EventPage = await next
      next = page.upTo < range.shard.checkpoint ? read(page.upTo) : undefined
      // When this page cannot be dealt with, nobody asks for the next one any more.
      next?.catch(() => undefined)
      await this.#take(shard, page)
    }
  }

  async #take(shard: ShardCheckpoint, page: EventPage): Promise<void> {
    const now = this.#from.now()
    const before = this.#correlations.changes
    this.#outbox.put(page.events.flatMap((event) => this.#alertsOf(event, now)))
    this.#checkpoints.advance(shard, page.upTo)
    this.#dirty = true
    // Most pages hold nothing a rule looks for: read again after a crash, they hold nothing again.
    if (!this.#outbox.isEmpty || this.#correlations.changes > before) await this.#save()
    await this.#emptyOutbox()
  }

  #alertsOf(event: RuleEvent, now: number): IdentifiedAlert[] {
    const found = this.#set.matcher.match(event.source, event.index)
    if (found.length === 0) return []
    const alerts = found.flatMap((rule) => this.#alertOf(rule.id, this.#matchOf(event, [event], 1), now))
    const findings = found.map((rule) => this.#finding(rule, event))
    for (const { correlation, key, events, count } of this.#correlations.add(event, findings)) {
      const match = this.#matchOf(event, events, count)
      const about = correlation.groupBy.map((field, at) => `${field} ${key[at] ?? ''}`).join(', ')
      const reason = `${count} within ${correlation.timespanMs / 1000} s${about === '' ? '' : ` for ${about}`}`
      alerts.push(...this.#alertOf(correlation.id, { ...match, reason, key: key.join(', ') || match.key }, now))
    }
    return alerts
  }

  #finding(rule: SigmaRule, event: RuleEvent): Finding {
    return {
      id: rule.id,
      name: rule.name,
      valueOf: (field) => {
        const paths = this.#set.matcher.pathsOf(rule, field)
        const key = paths.map((path) => keyOf(event.source, [path])).find((value) => value !== missing)
        return key
      },
    }
  }

  #matchOf(event: RuleEvent, events: readonly { index: string; id: string; time: number }[], count: number): RuleMatch {
    const marks = events.map(({ index, id, time }) => ({ index, id, time }))
    const reason = `An event matched at ${new Date(event.time).toISOString()}`
    return { time: event.time, key: keyOf(event.source, ['host.name']), event, marks, count, reason }
  }

  #alertOf(id: string, match: RuleMatch, now: number): IdentifiedAlert[] {
    const rule = this.#set.alerting.get(id)
    if (!rule) return []
    const maker = this.#maker(rule)
    return maker.hears(match, now) ? [maker.make(match, now, {})] : []
  }

  #maker(rule: AlertingRule): AlertMaker {
    const known = this.#makers.get(rule.id) ?? new AlertMaker(rule, this.#from, this.#savedMakers[rule.id])
    this.#makers.set(rule.id, known)
    return known
  }

  async #emptyOutbox(): Promise<void> {
    if (await this.#outbox.empty(this.#from)) this.#dirty = true
  }

  async #save(): Promise<void> {
    const now = this.#from.now()
    const kept = Object.entries(this.#savedMakers).filter(([id]) => !this.#makers.has(id) && this.#set.alerting.has(id))
    const made = [...this.#makers].map(([id, maker]) => [id, maker.save(now)] as const)
    const state: RuleState = {
      ...this.#checkpoints.save(),
      fingerprint: '',
      running: undefined,
      alerting: { correlations: this.#correlations.save(), makers: Object.fromEntries([...kept, ...made]) },
      lastRun: this.#lastRun,
      outbox: this.#outbox.alerts,
    }
    await this.#from.states.save(sigmaWorkId, state, now)
    this.#savedAt = now
    this.#dirty = false
  }
}

const missing = keyOf({}, ['-'])
