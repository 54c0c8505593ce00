import { AlertMaker } from '../alerts/alert-maker.ts'
import type { RuleState } from '../alerts/rule-state.ts'
import type { IdentifiedAlert } from '../channels/define-channel.ts'
import { Checkpoints } from '../events/checkpoints.ts'
import type { ShardCheckpoint } from '../events/shards.ts'
import { nextTime } from '../rule-files/aggregation-schema.ts'
import type { Rule } from '../rule-files/rule.ts'
import type { RunningRule, WindowQuery } from '../rule-types/define-rule-type.ts'
import { enrich } from './enrich.ts'
import { Forgotten } from './forgotten.ts'
import { Outbox } from './outbox.ts'
import { isOfFuture, type Run, type RunSurroundings } from './run.ts'

/**
 * One rule that asks search for aggregations of windows of time, one after the other, each once: the state after a window is written with
 * the window's alerts before the alerts are. Windows that passed while it was away are asked for one by one.
 */
export class WindowRun implements Run {
  readonly #rule: Rule
  #from: RunSurroundings
  readonly #running: RunningRule
  readonly #query: WindowQuery
  readonly #maker: AlertMaker
  readonly #outbox: Outbox
  readonly #forgotten: Forgotten
  #windowEnd: number | undefined
  /** Of it only what it makes of the clock: windows are read by time. */
  readonly #checkpoints: Checkpoints

  private constructor(rule: Rule, from: RunSurroundings, saved: RuleState | undefined) {
    this.#rule = rule
    this.#from = from
    this.#forgotten = new Forgotten(from.windowEventsMax, from.now)
    const isSame = saved?.fingerprint === rule.fingerprint && !isOfFuture(saved, from.now())
    this.#running = rule.type.start(rule.typeOptions, isSame ? saved.running : undefined, {
      windowEventsMax: from.windowEventsMax,
      queryKey: rule.queryKey,
      timestampField: rule.timestamp.field,
      bufferMs: rule.bufferMs ?? from.bufferMs,
      useTermsQuery: false,
      forgot: () => this.#forgotten.note(),
    })
    if (!this.#running.windowQuery) throw new Error(`BUG: ${rule.typeName} has no window query`)
    this.#query = this.#running.windowQuery
    this.#maker = new AlertMaker(rule, from, saved?.alerting)
    this.#outbox = new Outbox(saved?.outbox)
    this.#checkpoints = new Checkpoints({ leap: saved?.leap })
    this.#windowEnd = isSame ? saved.windowEnd : undefined
  }

  /** Goes on from the rule's written state, and first writes the alerts that a crash may have kept back. */
  static async resume(rule: Rule, from: RunSurroundings): Promise<WindowRun> {
    const run = new WindowRun(rule, from, await from.states.load(rule.id))
    await run.#outbox.empty(from)
    return run
  }

  /** Asks for every window that has ended since the last one. */
  async round(_shards: readonly ShardCheckpoint[], from: RunSurroundings): Promise<void> {
    this.#from = from
    const now = from.now()
    const bufferMs = this.#rule.bufferMs ?? from.bufferMs
    const runEveryMs = this.#rule.runEveryMs ?? from.runEveryMs
    const spanMs = this.#query.useRunEverySize ? runEveryMs : bufferMs
    const stepMs = this.#query.overlap ? Math.min(runEveryMs, spanMs) : spanMs
    const latest = now - this.#rule.queryDelayMs
    const { limitExecution } = this.#rule
    if (
      limitExecution !== undefined &&
      this.#windowEnd !== undefined &&
      now < nextTime(limitExecution, this.#windowEnd)
    )
      return
    // The first window is the one before now; windows too old to be caught up with are passed over.
    this.#windowEnd ??= latest - stepMs
    const noticed = this.#checkpoints.noticeClock(now, this.#windowEnd, from.catchUpMsMax)
    if (noticed.isNews) this.#windowEnd = noticed.lastRun
    // The clock was set back: the time that it has again is asked for again.
    if (this.#windowEnd > latest + stepMs) this.#windowEnd = latest
    const oldest = latest - from.catchUpMsMax
    if (this.#windowEnd < oldest) this.#windowEnd += Math.ceil((oldest - this.#windowEnd) / stepMs) * stepMs
    while (this.#windowEnd + stepMs <= latest) await this.#ask(this.#windowEnd + stepMs, spanMs)
  }

  get notice(): string | undefined {
    return this.#forgotten.notice
  }

  stop(): Promise<void> {
    return Promise.resolve() // every window's outcome is written at once
  }

  async #ask(end: number, spanMs: number): Promise<void> {
    const now = this.#from.now()
    const answers = await this.#from.lookUps.window(this.#rule, this.#query, end - spanMs, end)
    const made: IdentifiedAlert[] = []
    for (const match of this.#running.addWindow?.(answers, end) ?? []) {
      if (!this.#maker.hears(match, now)) continue
      made.push(this.#maker.make(match, now, await enrich(this.#rule, match, this.#from.lookUps)))
    }
    this.#outbox.put(made)
    this.#windowEnd = end
    await this.#save(now)
    await this.#outbox.empty(this.#from)
  }

  async #save(now: number): Promise<void> {
    const state: RuleState = {
      ...this.#checkpoints.save(),
      fingerprint: this.#rule.fingerprint,
      running: this.#running.save(),
      alerting: this.#maker.save(now),
      windowEnd: this.#windowEnd,
      outbox: this.#outbox.alerts,
    }
    await this.#from.states.save(this.#rule.id, state, now)
    this.#maker.saved(now)
  }
}
