import { messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import { pause } from '../../../pause.ts'
import { type Actor, AuditEvents } from './audit-events.ts'
import { AuditLog } from './audit-log.ts'
import type { AuditRules } from './audit-rules.ts'
import { actorsOf, Deeds, type SeenChange } from './deeds.ts'
import { ruleKey } from './rule-listing.ts'
import { localAccounts, whoFields } from './who-fields.ts'

const checkMs = 60_000
const askMs = 100
/** How long a change waits for audit's word of it. */
export const joinMs = 2_000

type Fields = Record<string, unknown>

/** Tells who made the changes that a stream saw, where the host's audit is there and may be asked; where it is not, it says why and nothing waits. */
export class WhoData {
  readonly #rules: AuditRules
  readonly #logger: Logger
  readonly #deeds = new Deeds()
  #events = new AuditEvents()
  #log: AuditLog | undefined
  #changeKeys: ReadonlySet<string> = new Set()
  #missing: string | undefined
  #since = 0
  #checked = Number.NEGATIVE_INFINITY

  constructor(rules: AuditRules, logger: Logger) {
    this.#rules = rules
    this.#logger = logger
  }

  /** Why nothing, or not everything, is told; undefined while all is well. */
  get missing(): string | undefined {
    return this.#missing
  }

  /** Sees to it that audit watches the folders; each minute, as whoever loads the host's rules anew throws ours out. Cheap in between. */
  async watch(roots: () => readonly string[]): Promise<void> {
    if (performance.now() - this.#checked < checkMs) return
    this.#checked = performance.now()
    try {
      const { logFile, changeKeys, missing } = await this.#rules.want(this, roots())
      this.#changeKeys = changeKeys
      if (!this.#log) {
        this.#log = await AuditLog.open(logFile)
        this.#since = Date.now()
      }
      this.#say(missing)
    } catch (thrown) {
      await this.#giveUp(messageOf(thrown))
    }
  }

  /** Reads what audit told of since the last time. */
  async listen(): Promise<void> {
    if (!this.#log) return
    try {
      for (const line of await this.#log.lines()) {
        for (const event of this.#events.add(line)) {
          const isOwn = event.keys.includes(ruleKey)
          // A call is told of once, by the first rule that fits: others' rules for changes are heard as well.
          if (isOwn || event.keys.some((key) => this.#changeKeys.has(key))) this.#deeds.remember(event, isOwn)
        }
      }
    } catch (thrown) {
      await this.#giveUp(messageOf(thrown))
    }
  }

  /** The fields that tell who made each change; waits for audit until `deadline` where it may still come. */
  async whoMade(changes: readonly SeenChange[], deadline: number, signal: AbortSignal): Promise<Fields[]> {
    await this.listen()
    if (!this.#log || changes.length === 0) return changes.map(() => ({}))
    const isAwaited = (change: SeenChange): boolean =>
      (change.happened ?? change.seen) >= this.#since && this.#deeds.fresh(change).length === 0
    const endsAt = performance.now() + deadline - Date.now()
    while (performance.now() < endsAt && !signal.aborted && this.#log && changes.some(isAwaited)) {
      await pause(askMs, signal)
      await this.listen()
    }
    const found = changes.map((change) => {
      const deeds = this.#deeds.all(change)
      this.#deeds.tell(deeds, change)
      return actorsOf(deeds)
    })
    return this.#named(found)
  }

  /** Takes the rules back. */
  async close(): Promise<void> {
    await this.#closeLog()
    try {
      await this.#rules.release(this)
    } catch (thrown) {
      this.#logger.warn(`rules of audit stay behind: ${messageOf(thrown)}`)
    }
  }

  async #named(found: readonly (readonly Actor[])[]): Promise<Fields[]> {
    // A change must not wait for names: the ids tell it as well.
    const accounts = found.some((actors) => actors.length > 0)
      ? await localAccounts().catch(() => undefined)
      : undefined
    return found.map((actors) => whoFields(actors, (id) => accounts?.get(id)))
  }

  async #giveUp(reason: string): Promise<void> {
    await this.#closeLog()
    this.#say(reason)
  }

  async #closeLog(): Promise<void> {
    const log = this.#log
    this.#log = undefined
    this.#events = new AuditEvents()
    await log?.close()
  }

  #say(missing: string | undefined): void {
    if (missing !== undefined && missing !== this.#missing)
      this.#logger.info(`who changed files is not told: ${missing}`)
    this.#missing = missing
  }
}
