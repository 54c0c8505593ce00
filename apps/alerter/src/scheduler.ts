import { AppError, isAppError, messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import type { RuleStatuses } from './alerts/rule-statuses.ts'
import type { IdentifiedAlert } from './channels/define-channel.ts'
import type { ShardCheckpoint } from './events/shards.ts'
import type { AlertingRule } from './rule-files/rule.ts'
import type { RulesInEffect } from './rules-in-effect.ts'
import { isOfFuture, type Run, type RunSurroundings } from './runs/run.ts'
import type { Work } from './runs/work.ts'
import { isPast } from './set-back.ts'

/** What the scheduler needs of the outside. */
export interface SchedulerSurroundings {
  readonly now: () => number
  readonly logger: Logger
  readonly statuses: Pick<RuleStatuses, 'setRules' | 'ran' | 'matched'>
  /** The rules as they are now; the very same object while nothing changed. */
  readRules(): Promise<RulesInEffect>
  rulesRescanMs(): number
  worksAtOnceMax(): number
  /** What runs need, with answers that hold for one round. */
  roundSurroundings(): RunSurroundings & { shardsOf(pattern: string): Promise<readonly ShardCheckpoint[]> }
}

interface Running {
  work: Work
  /** What takes its place as soon as it is not busy; null when nothing does. */
  next: Work | null | undefined
  run: Run | undefined
  /** When it last ran (epoch ms). */
  ranAt: number
  /** Its place among all that ran, 0 before: who waited longest is next. */
  turn: number
  busy: Promise<void> | undefined
}

/** How long a round waits for works that take long; they go on, and are left out of the rounds until they are done. */
const roundMsMax = 2000

/**
 * Runs all rules in rounds, several at once, and takes up changes of the folder. A rule that fails is logged and tried again from its written
 * state; one that is slow misses rounds; the others run on.
 */
export class Scheduler {
  readonly #from: SchedulerSurroundings
  #rules: ReadonlyMap<string, AlertingRule> = new Map()
  readonly #running = new Map<string, Running>()
  readonly #told = new Map<string, string>()
  #turns = 0
  #inEffect: RulesInEffect | undefined
  #readAt = Number.NEGATIVE_INFINITY
  #fatal: AppError | undefined

  constructor(from: SchedulerSurroundings) {
    this.#from = from
  }

  /** The rules in effect by their ids. */
  get rules(): ReadonlyMap<string, AlertingRule> {
    return this.#rules
  }

  /** The index patterns that the next round reads. */
  get patterns(): readonly string[] {
    return [...this.#running.values()].map(({ work, next }) => (next ?? work).index)
  }

  /** Reads the rules if it is time, or at once when told. Keeps the rules it has when the folder cannot be read. */
  async readRules(atOnce = false): Promise<void> {
    if (!atOnce && !isPast(this.#readAt, this.#from.rulesRescanMs(), this.#from.now())) return
    this.#readAt = this.#from.now()
    const found = await this.#guarded('rules folder', () => this.#from.readRules())
    if (!found || found === this.#inEffect) return
    this.#inEffect = found
    this.#tellBroken(found)
    this.#from.statuses.setRules(found.listed)
    this.#rules = new Map(found.works.flatMap((work) => work.rules).map((rule) => [rule.id, rule]))
    const works = new Map(found.works.map((work) => [work.id, work]))
    // One that is at work is left to end: nobody waits for it.
    for (const [id, running] of this.#running) {
      const next = works.get(id)
      running.next = next?.revision === running.work.revision ? undefined : (next ?? null)
    }
    for (const [id, work] of works)
      if (!this.#running.has(id))
        this.#running.set(id, {
          work,
          next: undefined,
          run: undefined,
          ranAt: this.#from.now(),
          turn: 0,
          busy: undefined,
        })
  }

  /**
   * Lets everything that is not still at work read what is new, who waited longest first. False when the time was over before all had their turn: the next
   * round goes on with the others. Rejects only when search no longer accepts the alerter's account.
   */
  async round(): Promise<boolean> {
    if (this.#fatal) throw this.#fatal
    const surroundings = this.#from.roundSurroundings()
    const waiting = [...this.#running.values()]
      .filter(({ busy }) => !busy)
      .sort((left, right) => left.turn - right.turn)
    const atWork = this.#running.size - waiting.length
    // Works that take long keep their places; at least half of all places are for the others.
    const lanes = Math.max(Math.ceil(this.#from.worksAtOnceMax() / 2), this.#from.worksAtOnceMax() - atWork)
    const lane = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await this.#start(next, surroundings)
    }
    const done = Promise.all(Array.from({ length: lanes }, lane))
    await Promise.race([done, pause(roundMsMax)])
    const hadAll = waiting.length === 0
    waiting.length = 0
    if (this.#fatal) throw this.#fatal
    return hadAll
  }

  /** Writes the state of all rules. */
  async stop(): Promise<void> {
    for (const [id, running] of this.#running) {
      await running.busy
      await this.#guarded(id, async () => running.run?.stop())
    }
    this.#running.clear()
  }

  #start(running: Running, surroundings: ReturnType<SchedulerSurroundings['roundSurroundings']>): Promise<void> {
    this.#turns += 1
    running.turn = this.#turns
    running.busy = this.#work(running, surroundings).finally(() => {
      running.busy = undefined
    })
    return running.busy
  }

  async #work(running: Running, surroundings: ReturnType<SchedulerSurroundings['roundSurroundings']>): Promise<void> {
    if (running.next !== undefined && !(await this.#replace(running, running.next))) return
    const { work } = running
    // The clock was set back: what was written says when, and what of it is still good.
    if (isOfFuture({ savedAt: running.ranAt }, this.#from.now())) running.run = undefined
    running.ranAt = this.#from.now()
    let error: string | undefined
    const from = {
      ...surroundings,
      deliver: (alerts: readonly IdentifiedAlert[]) => this.#deliver(alerts, surroundings),
    }
    const ok = await this.#guarded(
      work.id,
      async () => {
        const shards = await surroundings.shardsOf(work.index)
        running.run ??= await work.resume(from)
        await running.run.round(shards, from)
        return true
      },
      (message) => {
        error = message
      },
    )
    if (!ok)
      running.run = undefined // starts over from what is written
    else error = running.run?.notice
    const notices = running.run?.notices ?? new Map<string, string>()
    if (ok) this.#tellNotices(work.id, error, notices)
    const now = this.#from.now()
    const others = work.rules.map(({ id }) => id).filter((id) => !notices.has(id))
    this.#from.statuses.ran(others, now, error)
    for (const [id, notice] of notices) this.#from.statuses.ran([id], now, notice)
  }

  #tellNotices(workId: string, notice: string | undefined, notices: ReadonlyMap<string, string>): void {
    const said = [...(notice === undefined ? [] : [notice]), ...[...notices].map(([id, text]) => `${id}: ${text}`)]
    if (said.length === 0) this.#told.delete(workId)
    else this.#tell(workId, `${workId}: ${said.join('; ')}`)
  }

  // Whether there is something in its place. What is stopped writes its state first, which the next one goes on from.
  async #replace(running: Running, next: Work | null): Promise<boolean> {
    const { id } = running.work
    await this.#guarded(id, async () => running.run?.stop())
    running.run = undefined
    running.next = undefined
    if (next) running.work = next
    else this.#running.delete(id)
    return next !== null
  }

  #deliver(alerts: readonly IdentifiedAlert[], surroundings: RunSurroundings): void {
    const counts = new Map<string, number>()
    for (const { document } of alerts) counts.set(document.rule.id, (counts.get(document.rule.id) ?? 0) + 1)
    for (const [id, count] of counts) this.#from.statuses.matched(id, this.#from.now(), count)
    surroundings.deliver(alerts)
  }

  #tellBroken({ broken }: RulesInEffect): void {
    const files = new Set(broken.map(({ file }) => file))
    for (const { file, line, column, message } of broken)
      this.#tell(file, `rule not used, ${file}:${line}:${column}: ${message}`)
    for (const told of this.#told.keys()) if (/\.ya?ml$/.test(told) && !files.has(told)) this.#told.delete(told)
  }

  async #guarded<T>(what: string, work: () => Promise<T>, failed?: (message: string) => void): Promise<T | undefined> {
    try {
      return await work()
    } catch (thrown) {
      if (isAppError(thrown) && thrown.kind === 'unauthenticated') this.#fatal = thrown
      failed?.(messageOf(thrown))
      this.#tell(what, `${what}: ${messageOf(thrown)}`, thrown)
      return undefined
    }
  }

  // A lasting problem is told once, not every round.
  #tell(what: string, message: string, thrown?: unknown): void {
    if (this.#told.get(what) === message) return
    this.#told.set(what, message)
    const fix = thrown instanceof AppError && thrown.fix ? { fix: thrown.fix } : {}
    this.#from.logger.error({ ...(thrown === undefined ? {} : { err: thrown }), ...fix }, message)
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
