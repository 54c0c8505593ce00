import { type AppError, isAppError } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import type { Engine } from '../engine/engine.ts'
import type { CommitLog, CommitRecord } from './commit-log.ts'
import type { DeadRows, VisibleRows } from './visibility.ts'

/** When replaced rows are deleted. */
export interface PurgeLimits {
  /** Between a commit and the deletion of the rows it replaced, so that one deletion serves many commits; longer while a read holds them. */
  readonly purgeDelayMs: number
  /** So many rows are deleted soon: every read names each of those that wait. */
  readonly purgeRowsMax: number
  /** After a failed attempt, for instance on a full disk. */
  readonly purgeRetryMs: number
}

/** What purging works with. */
export interface PurgeContext {
  readonly engine: Engine
  readonly log: CommitLog
  readonly visible: VisibleRows
  readonly logger: Logger
  readonly limits: PurgeLimits
  /** Told before rows of a table, by its catalogue id, are deleted. */
  deleting(table: number): void
}

const unknownTableCode = 60
const soonMs = 1_000

/** The engine says that the table is gone; then its rows are too. */
export function isTableGone(thrown: unknown): thrown is AppError {
  return isAppError(thrown) && thrown.detail['clickhouseCode'] === unknownTableCode
}

/** Deletes replaced rows in the engine, some time after they were hidden, many commits at once. */
export class Purge {
  readonly #context: PurgeContext
  #waiting: CommitRecord[] = []
  #timer: NodeJS.Timeout | undefined
  #dueMs = 0
  #running: Promise<void> = Promise.resolve()
  #closed = false

  constructor(context: PurgeContext) {
    this.#context = context
  }

  /** Takes over a record whose segments are in the engine; its dead rows are hidden already. */
  add(record: CommitRecord): void {
    this.#waiting.push(record)
    this.#schedule(this.#delayMs())
  }

  #delayMs(): number {
    const { purgeDelayMs, purgeRowsMax } = this.#context.limits
    let rows = 0
    for (const { dead } of this.#waiting) for (const { sequences } of dead) rows += sequences.length
    return rows < purgeRowsMax ? purgeDelayMs : Math.min(purgeDelayMs, soonMs)
  }

  /** Sets the time of the next attempt, unless there is an earlier one. */
  #schedule(delayMs: number): void {
    const dueMs = performance.now() + delayMs
    if (this.#closed || (this.#timer !== undefined && this.#dueMs <= dueMs)) return
    clearTimeout(this.#timer)
    this.#dueMs = dueMs
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#running = this.#attempt()
    }, delayMs)
    this.#timer.unref()
  }

  async #attempt(): Promise<void> {
    const { visible } = this.#context
    const records = this.#waiting.filter(({ seq, dead }) => visible.isUnheld(seq, dead))
    this.#waiting = this.#waiting.filter((record) => !records.includes(record))
    let failed = false
    try {
      if (records.length > 0) await this.#purge(records)
    } catch (thrown) {
      this.#context.logger.warn({ error: thrown }, 'replaced rows could not be deleted yet; they stay hidden')
      this.#waiting = [...records, ...this.#waiting]
      failed = true
    }
    if (this.#waiting.length > 0) this.#schedule(failed ? this.#context.limits.purgeRetryMs : this.#delayMs())
  }

  async #purge(records: readonly CommitRecord[]): Promise<void> {
    const { engine, log, visible } = this.#context
    await log.flush()
    for (const group of merge(records)) {
      this.#context.deleting(group.table)
      try {
        await engine.deleteRows(group.tableName, group.partition, group.sequences)
      } catch (thrown) {
        if (!isTableGone(thrown)) throw thrown
      }
      visible.purged([group])
    }
    for (const record of records) log.purged(record)
    await log.flush()
  }

  /** Stops; what is not deleted yet is deleted after the next start. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#running
  }
}

/** The dead rows of several commits, one group for each partition. */
function merge(records: readonly CommitRecord[]): DeadRows[] {
  const groups = new Map<string, DeadRows & { sequences: number[] }>()
  for (const dead of records.flatMap((record) => record.dead)) {
    const key = `${dead.tableName} ${dead.partition}`
    const group = groups.get(key) ?? { ...dead, sequences: [] }
    group.sequences.push(...dead.sequences)
    groups.set(key, group)
  }
  return [...groups.values()]
}
