import type { Engine } from '../engine/engine.ts'
import type { TableMeta } from '../model/table.ts'
import { ident, sql } from '../sql/sql.ts'

/** Between what all rows of a table lie. */
export interface Bounds {
  /** No row has a later `_time`, epoch milliseconds. */
  readonly newestMs: number
  /** No row has a lower `_seq`. */
  readonly firstSeq: number
}

/** What was there when the engine was asked. */
type Asked = Bounds | { readonly failedAtMs: number } | 'asking'

/** As long the engine is not asked again after it failed, milliseconds. */
const askedAgainMs = 60_000

/** Of no rows. */
const none: Bounds = { newestMs: Number.NEGATIVE_INFINITY, firstSeq: Number.POSITIVE_INFINITY }

/**
 * How late the rows of each table are and from where on they are numbered, said from outside: the engine is asked once for those that were there, and what comes is noted before it
 * does. A search leaves a table out where it cannot hold what is looked for (ADR 0007).
 */
export class TableBounds {
  readonly #engine: Pick<Engine, 'rows'>
  /** Milliseconds that only go on. */
  readonly #now: () => number
  readonly #came = new Map<number, Bounds>()
  readonly #asked = new Map<number, Asked>()

  constructor(engine: Pick<Engine, 'rows'>, now: () => number) {
    this.#engine = engine
    this.#now = now
  }

  /** To be told before rows go to the engine: the last of their times, undefined where that is not known, and the first of their numbers. */
  comes(
    table: number,
    { newestMs, firstSeq }: { readonly newestMs: number | undefined; readonly firstSeq: number },
  ): void {
    const bounds = { newestMs: newestMs ?? Number.POSITIVE_INFINITY, firstSeq }
    this.#came.set(table, both(this.#came.get(table) ?? none, bounds))
  }

  /** Undefined while that is not known, which is asked for in the background then. */
  of(table: TableMeta): Bounds | undefined {
    const asked = this.#asked.get(table.id)
    if (asked === 'asking') return undefined
    if (asked !== undefined && 'newestMs' in asked) return both(asked, this.#came.get(table.id) ?? none)
    if (asked === undefined || this.#now() - asked.failedAtMs >= askedAgainMs) this.#ask(table)
    return undefined
  }

  #ask({ id, name }: TableMeta): void {
    this.#asked.set(id, 'asking')
    // One for all tables: searches must not find their queue full of these.
    const background = { weight: 'heavy', owner: this } as const
    this.#engine.rows(sql`SELECT max(_time), min(_seq), count() FROM ${ident(name)}`, background).then(
      ([row = []]) => {
        const [newest, first, count] = row.map(Number)
        // Of no rows the greatest time is that of 1970.
        this.#asked.set(id, count === 0 ? none : { newestMs: newest ?? 0, firstSeq: first ?? 0 })
      },
      () => this.#asked.set(id, { failedAtMs: this.#now() }),
    )
  }
}

function both(one: Bounds, other: Bounds): Bounds {
  return {
    newestMs: Math.max(one.newestMs, other.newestMs),
    firstSeq: Math.min(one.firstSeq, other.firstSeq),
  }
}
