import type { Engine } from '../engine/engine.ts'
import type { TableMeta } from '../indices/model.ts'
import { ident, sql, str } from '../sql/sql.ts'
import type { Visibility } from './documents.ts'
import { visibleSql } from './visibility.ts'

/** What the indices of one table hold. */
interface TableStats {
  readonly documents: ReadonlyMap<number, number>
  readonly rows: number
  readonly bytes: number
}

const keptMs = 1_000

/** Counts documents and bytes for each index, one statement a table however many of its indices are asked for. */
export class IndexStats {
  readonly #engine: Engine
  readonly #now: () => number
  readonly #kept = new Map<
    number,
    { readonly visibility: Visibility; readonly atMs: number; stats: Promise<TableStats> }
  >()

  constructor(engine: Engine, now: () => number) {
    this.#engine = engine
    this.#now = now
  }

  async of(
    index: number,
    table: TableMeta,
    visibility: Visibility,
  ): Promise<{ documents: number; deleted: number; bytes: number }> {
    const stats = await this.#table(table, visibility)
    const documents = stats.documents.get(index) ?? 0
    const share = stats.rows === 0 ? 0 : documents / stats.rows
    return { documents, deleted: 0, bytes: Math.round(stats.bytes * share) }
  }

  #table(table: TableMeta, visibility: Visibility): Promise<TableStats> {
    const kept = this.#kept.get(table.id)
    if (kept !== undefined && kept.visibility === visibility && this.#now() - kept.atMs < keptMs) return kept.stats
    const stats = this.#read(table, visibility)
    this.#kept.set(table.id, { visibility, atMs: this.#now(), stats })
    // A failed count is not kept: the next caller asks again.
    stats.catch(() => this.#kept.delete(table.id))
    return stats
  }

  async #read(table: TableMeta, visibility: Visibility): Promise<TableStats> {
    const counts = sql`SELECT _index, count() FROM ${ident(table.name)} WHERE ${visibleSql(visibility)} GROUP BY _index`
    const size = sql`SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = currentDatabase() AND table = ${str(table.name)}`
    const [rows, [bytes]] = await Promise.all([this.#engine.rows(counts), this.#engine.rows(size)])
    const documents = new Map(rows.map(([index, count]) => [Number(index), Number(count)]))
    return {
      documents,
      rows: [...documents.values()].reduce((sum, count) => sum + count, 0),
      bytes: Number(bytes?.[0] ?? 0),
    }
  }
}
