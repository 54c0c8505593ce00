import { type AppError, isAppError } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import type { Engine } from '../engine/engine.ts'
import type { CommitLog, CommitRecord } from './commit-log.ts'
import type { DeadRows, VisibleRows } from './visibility.ts'

/** What purging works with, and how long it waits. */
export interface PurgeContext {
  readonly engine: Engine
  readonly log: CommitLog
  readonly visible: VisibleRows
  readonly logger: Logger
  /** Between a commit and the deletion of the rows it replaced, so that one deletion serves many commits; longer while a read holds them. */
  readonly delayMs: number
  /** After a failed attempt, for instance on a full disk. */
  readonly retryMs: number
}

const unknownTableCode = 60

/** The engine says that the table is gone; then its rows are too. */
export function isTableGone(thrown: unknown): thrown is AppError {
  return isAppError(thrown) && thrown.detail['clickhouseCode'] === unknownTableCode
}

/** Deletes replaced rows in the engine, some time after they were hidden, many commits at once. */
export class Purge {
  readonly #context: PurgeContext
  #waiting: CommitRecord[] = []
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #closed = false

  constructor(context: PurgeContext) {
    this.#context = context
  }

  /** Takes over a record whose segments are in the engine; its dead rows are hidden already. */
  add(record: CommitRecord): void {
    this.#waiting.push(record)
    this.#schedule(this.#context.delayMs)
  }

  #schedule(delayMs: number): void {
    if (this.#timer !== undefined || this.#closed) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#running = this.#attempt()
    }, delayMs)
    this.#timer.unref()
  }

  async #attempt(): Promise<void> {
    const { visible } = this.#context
    const records = this.#waiting.filter(({ seq }) => visible.isUnheld(seq))
    this.#waiting = this.#waiting.filter((record) => !records.includes(record))
    try {
      if (records.length > 0) await this.#purge(records)
    } catch (thrown) {
      this.#context.logger.warn({ error: thrown }, 'replaced rows could not be deleted yet; they stay hidden')
      this.#waiting = [...records, ...this.#waiting]
      this.#schedule(this.#context.retryMs)
    }
    if (this.#waiting.length > 0) this.#schedule(this.#context.delayMs)
  }

  async #purge(records: readonly CommitRecord[]): Promise<void> {
    const { engine, log, visible } = this.#context
    await log.flush()
    for (const group of merge(records)) {
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
