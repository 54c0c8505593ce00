import type { Logger } from '@logstack/logging'
import type { Engine } from '../engine/engine.ts'
import type { Catalogue } from '../indices/catalogue.ts'
import { ident, join, num, sql, str } from '../sql/sql.ts'
import type { CommitLog } from './commit-log.ts'

/** What sweeping works with. */
export interface SweepContext {
  readonly engine: Engine
  readonly catalogue: Pick<Catalogue, 'indexById' | 'keepsRows'>
  readonly log: CommitLog
  readonly logger: Logger
  /** Whether rows of an index may still come to the engine. */
  isPending(index: number): boolean
}

/**
 * Frees the space of deleted indices. Nobody sees their rows any more, because every read names the indices it is for. Only rows of those indices
 * are deleted, never a partition as a whole: another index may be writing to it.
 */
export async function sweepDeletedIndices(context: SweepContext): Promise<void> {
  const { engine, catalogue, log, logger } = context
  // Rows of an index that was deleted while a snapshot reads them, or that is not restored yet.
  if (catalogue.keepsRows()) return
  const gone = log.indices().filter((index) => catalogue.indexById(index) === undefined && !context.isPending(index))
  if (gone.length === 0) return
  await log.flush()
  const condition = sql`_index IN (${join(gone.map(num), ', ')})`
  const tables = await engine.rows(
    sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND engine = 'MergeTree'`,
  )
  for (const [table] of tables) {
    const name = ident(String(table))
    const slots = await engine.rows(sql`SELECT DISTINCT _slot FROM ${name} WHERE ${condition}`, { weight: 'heavy' })
    for (const [slot] of slots)
      await engine.execute(sql`ALTER TABLE ${name} DELETE IN PARTITION ${str(String(slot))} WHERE ${condition}`, {
        slow: true,
      })
  }
  await log.forgetIndices(gone)
  logger.info({ indices: gone.length }, 'rows of deleted indices were removed')
}

/** Runs a task now and then, one at a time; a failure is logged and the next turn tries again. */
export class Periodic {
  readonly #task: () => Promise<void>
  readonly #timer: NodeJS.Timeout
  #running: Promise<void> | undefined

  constructor(task: () => Promise<void>, intervalMs: number, onFailure: (thrown: unknown) => void) {
    this.#task = async () => {
      try {
        await task()
      } catch (thrown) {
        onFailure(thrown)
      } finally {
        this.#running = undefined
      }
    }
    this.#timer = setInterval(() => {
      this.#running ??= this.#task()
    }, intervalMs)
    this.#timer.unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }
}
