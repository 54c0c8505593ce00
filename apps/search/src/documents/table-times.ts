import type { Engine } from '../engine/engine.ts'
import type { TableMeta } from '../indices/model.ts'
import { ident, sql } from '../sql/sql.ts'

/** The time of the last row that was there when the engine was asked; epoch milliseconds. */
type Asked = { readonly newestMs: number } | { readonly failedAtMs: number } | 'asking'

/** As long the engine is not asked again after it failed, milliseconds. */
const askedAgainMs = 60_000

/**
 * How late the rows of each table are, said from above: the engine is asked once for those that were there, and what comes is noted before it does. A search that is for
 * later times leaves the table out (ADR 0007).
 */
export class TableTimes {
  readonly #engine: Pick<Engine, 'rows'>
  /** Milliseconds that only go on. */
  readonly #now: () => number
  readonly #came = new Map<number, number>()
  readonly #asked = new Map<number, Asked>()

  constructor(engine: Pick<Engine, 'rows'>, now: () => number) {
    this.#engine = engine
    this.#now = now
  }

  /** To be told before rows go to the engine: the last of their times, undefined where that is not known. */
  comes(table: number, newestMs: number | undefined): void {
    const known = this.#came.get(table) ?? Number.NEGATIVE_INFINITY
    this.#came.set(table, Math.max(known, newestMs ?? Number.POSITIVE_INFINITY))
  }

  /** No row of the table has a later `_time`, epoch milliseconds; undefined while that is not known, which is asked for in the background then. */
  newestMs(table: TableMeta): number | undefined {
    const asked = this.#asked.get(table.id)
    if (asked === 'asking') return undefined
    if (asked !== undefined && 'newestMs' in asked)
      return Math.max(asked.newestMs, this.#came.get(table.id) ?? Number.NEGATIVE_INFINITY)
    if (asked === undefined || this.#now() - asked.failedAtMs >= askedAgainMs) this.#ask(table)
    return undefined
  }

  #ask({ id, name }: TableMeta): void {
    this.#asked.set(id, 'asking')
    // One for all tables: searches must not find their queue full of these.
    const background = { weight: 'heavy', owner: this } as const
    this.#engine.rows(sql`SELECT max(_time), count() FROM ${ident(name)}`, background).then(
      ([row = []]) => {
        const [newest, count] = row
        // Of no rows the greatest time is that of 1970.
        const newestMs = Number(count) === 0 ? Number.NEGATIVE_INFINITY : Number(newest)
        this.#asked.set(id, { newestMs })
      },
      () => this.#asked.set(id, { failedAtMs: this.#now() }),
    )
  }
}
