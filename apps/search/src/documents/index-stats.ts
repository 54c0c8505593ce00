import type { Engine } from '../engine/engine.ts'
import type { TableMeta } from '../model/table.ts'
import { ident, join, num, type Sql, sql } from '../sql/sql.ts'
import type { Visibility } from './visibility.ts'
import { visibleSql } from './visibility.ts'

/** How many documents the indices of one table hold, and how many that is together. */
interface Counts {
  readonly documents: ReadonlyMap<number, number>
  readonly rows: number
}

/** What the tables take on disk, by name, asked for when everything up to `seq` was shown. */
interface Bytes {
  readonly seq: number
  readonly atMs: number
  readonly answer: Promise<ReadonlyMap<string, number>>
}

/** A table whose documents are to be counted, and who waits for that. */
interface Waiting {
  readonly table: TableMeta
  readonly visibility: Visibility
  resolve(counts: Counts): void
  reject(reason: unknown): void
}

const bytesKeptMs = 1_000

/** Of small tables a statement costs twice what its table does; larger ones would be counted for longer than a statement may take. */
const tablesAtOnceMax = 16

/**
 * Counts documents and bytes for each index: once a table however many of its indices are asked for, and not while the table is not written to; one statement for
 * the bytes of all tables. Tables that are asked for while others are counted are counted together: thousands asked for at once would fill the queue of all searches.
 * Lifecycles ask for every index each minute.
 */
export class IndexStats {
  readonly #engine: Pick<Engine, 'rows'>
  readonly #now: () => number
  readonly #counts = new Map<number, { readonly of: Visibility; readonly answer: Promise<Counts> }>()
  #bytes: Bytes | undefined
  readonly #waiting: Waiting[] = []
  #isCounting = false

  constructor(engine: Pick<Engine, 'rows'>, now: () => number) {
    this.#engine = engine
    this.#now = now
  }

  /** `shownSeq` is the highest number that any table shows now. */
  async of(
    index: number,
    table: TableMeta,
    visibility: Visibility,
    shownSeq: number,
  ): Promise<{ documents: number; deleted: number; bytes: number }> {
    const [counts, bytes] = await Promise.all([this.#countsOf(table, visibility), this.#bytesOf(visibility, shownSeq)])
    const documents = counts.documents.get(index) ?? 0
    const share = counts.rows === 0 ? 0 : documents / counts.rows
    return { documents, deleted: 0, bytes: Math.round((bytes.get(table.name) ?? 0) * share) }
  }

  /** A snapshot always holds the same. */
  #countsOf(table: TableMeta, visibility: Visibility): Promise<Counts> {
    const kept = this.#counts.get(table.id)
    if (kept?.of === visibility) return kept.answer
    const answer = this.#count(table, visibility)
    const made = { of: visibility, answer }
    this.#counts.set(table.id, made)
    // A failed count is not kept: the next caller asks again.
    answer.catch(() => {
      if (this.#counts.get(table.id) === made) this.#counts.delete(table.id)
    })
    return answer
  }

  #count(table: TableMeta, visibility: Visibility): Promise<Counts> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ table, visibility, resolve, reject })
      if (!this.#isCounting) void this.#countWaiting()
    })
  }

  async #countWaiting(): Promise<void> {
    this.#isCounting = true
    while (this.#waiting.length > 0) await this.#countTogether(this.#waiting.splice(0, tablesAtOnceMax))
    this.#isCounting = false
  }

  /** What cannot be counted together is counted one by one: a table may be gone by then, or take as long as a statement may alone. */
  async #countTogether(some: readonly Waiting[]): Promise<void> {
    try {
      const counts = some.map(() => new Map<number, number>())
      for (const [at, index, count] of await this.#engine.rows(join(some.map(countSql), ' UNION ALL ')))
        counts[Number(at)]?.set(Number(index), Number(count))
      for (const [at, documents] of counts.entries())
        some[at]?.resolve({ documents, rows: [...documents.values()].reduce((sum, count) => sum + count, 0) })
    } catch (error) {
      if (some.length > 1) for (const each of some) await this.#countTogether([each])
      else some[0]?.reject(error)
    }
  }

  /** An answer of a moment ago will do, unless it may lack what the snapshot shows. */
  #bytesOf({ seq }: Visibility, shownSeq: number): Promise<ReadonlyMap<string, number>> {
    const kept = this.#bytes
    if (kept !== undefined && seq <= kept.seq && this.#now() - kept.atMs < bytesKeptMs) return kept.answer
    const made = { seq: shownSeq, atMs: this.#now(), answer: this.#readBytes() }
    this.#bytes = made
    made.answer.catch(() => {
      if (this.#bytes === made) this.#bytes = undefined
    })
    return made.answer
  }

  async #readBytes(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#engine.rows(
      sql`SELECT table, sum(bytes_on_disk) FROM system.parts WHERE active AND database = currentDatabase() GROUP BY table`,
    )
    return new Map(rows.map(([table, bytes]) => [String(table), Number(bytes)]))
  }
}

function countSql({ table, visibility }: Waiting, at: number): Sql {
  return sql`SELECT ${num(at)}, _index, count() FROM ${ident(table.name)} WHERE ${visibleSql(visibility)} GROUP BY _index`
}
