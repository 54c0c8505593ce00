import type { Engine } from '../engine/engine.ts'
import type { TableMeta } from '../model/table.ts'
import { sql, str } from '../sql/sql.ts'

/** What is known of one table. */
interface Known {
  isPatched: boolean
  /** When a deletion was last noted, or the engine last asked. */
  askedMs: number
}

/** So long after a deletion, or an answer, the engine is asked again. */
const askedAgainMs = 10_000

/**
 * Which tables have deletions that the engine has not worked into their parts yet. It keeps them as patches, which every read puts together with the rows
 * until merges have; meanwhile it reads whole rows for an order of which it shows a few (ADR 0007).
 */
export class PatchedTables {
  readonly #engine: Pick<Engine, 'rows'>
  readonly #now: () => number
  readonly #tables = new Map<number, Known>()

  constructor(engine: Pick<Engine, 'rows'>, now: () => number) {
    this.#engine = engine
    this.#now = now
  }

  /** To be told before rows of a table are deleted in the engine. */
  deleting(table: number): void {
    this.#tables.set(table, { isPatched: true, askedMs: this.#now() })
  }

  /**
   * As far as that is known: the engine is asked in the background, at first and after a while. Until it has answered for the first time a table is taken for patched: if it is not,
   * its hits cost a little more, and the other way round each of its rows would be read whole.
   */
  isPatched(table: TableMeta): boolean {
    const known = this.#tables.get(table.id)
    if (known === undefined) {
      const first = { isPatched: true, askedMs: this.#now() }
      this.#tables.set(table.id, first)
      this.#ask(table, first)
      return true
    }
    if (known.isPatched && this.#now() - known.askedMs >= askedAgainMs) this.#ask(table, known)
    return known.isPatched
  }

  /** A failure is asked again later; a deletion that comes meanwhile is another entry. */
  #ask({ name }: TableMeta, known: Known): void {
    known.askedMs = this.#now()
    const patches = sql`SELECT count() FROM system.parts WHERE database = currentDatabase() AND table = ${str(name)} AND active AND startsWith(name, 'patch-')`
    this.#engine.rows(patches).then(
      ([row]) => {
        known.isPatched = Number(row?.[0]) > 0
      },
      () => undefined,
    )
  }
}
