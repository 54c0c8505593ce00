import { AppError, isAppError, messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import type { ShardCheckpoint } from './events/shards.ts'
import type { Rule } from './rule-files/rule.ts'
import type { RulesFolder } from './rule-files/rules-folder.ts'
import { RuleRun, type RuleSurroundings } from './rule-run.ts'

/** What the scheduler needs of the outside. */
export interface SchedulerSurroundings {
  readonly now: () => number
  readonly logger: Logger
  readRules(): Promise<RulesFolder>
  rulesRescanMs(): number
  /** A reader of shards whose answers hold for one round. */
  shardReader(): { shardsOf(pattern: string): Promise<readonly ShardCheckpoint[]> }
  surroundings(): RuleSurroundings
}

/** Runs every rule of the folder in rounds, and takes up changes of the folder. A rule that fails is logged and tried again; the others run on. */
export class Scheduler {
  readonly #from: SchedulerSurroundings
  #rules: ReadonlyMap<string, Rule> = new Map()
  readonly #runs = new Map<string, { readonly rule: Rule; readonly run: RuleRun }>()
  readonly #told = new Map<string, string>()
  #readAt = Number.NEGATIVE_INFINITY

  constructor(from: SchedulerSurroundings) {
    this.#from = from
  }

  /** The rules in effect by their ids. */
  get rules(): ReadonlyMap<string, Rule> {
    return this.#rules
  }

  /** Reads the rules folder if it is time, or at once when told. Keeps the rules it has when the folder cannot be read. */
  async readRules(atOnce = false): Promise<void> {
    if (!atOnce && this.#from.now() - this.#readAt < this.#from.rulesRescanMs()) return
    this.#readAt = this.#from.now()
    const folder = await this.#guarded('rules folder', () => this.#from.readRules())
    if (!folder) return
    const broken = new Map(folder.broken.map((problem) => [problem.file, problem]))
    for (const { file, line, column, message } of folder.broken) {
      this.#tell(file, `rule not used, ${file}:${line}:${column}: ${message}`)
    }
    for (const told of this.#told.keys()) if (/\.ya?ml$/.test(told) && !broken.has(told)) this.#told.delete(told)
    this.#rules = new Map(folder.rules.map((rule) => [rule.id, this.#unchanged(rule)]))
    for (const [id, { rule, run }] of this.#runs) {
      if (this.#rules.get(id) === rule) continue
      this.#runs.delete(id)
      await this.#guarded(id, () => run.stop())
    }
  }

  /** Lets every rule read what is new. Rejects only when search no longer accepts the alerter's account. */
  async round(): Promise<void> {
    const reader = this.#from.shardReader()
    for (const rule of this.#rules.values()) {
      const ok = await this.#guarded(rule.id, async () => {
        const shards = await reader.shardsOf(rule.index)
        const { run } = this.#runs.get(rule.id) ?? { run: await RuleRun.resume(rule, this.#from.surroundings()) }
        this.#runs.set(rule.id, { rule, run })
        await run.readNew(shards)
        return true
      })
      if (ok) this.#told.delete(rule.id)
      else this.#runs.delete(rule.id) // starts over from what is written
    }
  }

  /** Writes the state of all rules. */
  async stop(): Promise<void> {
    for (const [id, { run }] of this.#runs) await this.#guarded(id, () => run.stop())
    this.#runs.clear()
  }

  // The same object as before for a rule whose file says the same, so that its run goes on.
  #unchanged(rule: Rule): Rule {
    const known = this.#rules.get(rule.id)
    return known?.revision === rule.revision ? known : rule
  }

  async #guarded<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (thrown) {
      if (isAppError(thrown) && thrown.kind === 'unauthenticated') throw thrown
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
