import type { NeededColumn, TableMeta } from '../model/table.ts'
import type { SampledColumn } from './staged-rows.ts'

/** About as many values as one granule of the engine holds: what an index can rule out is decided among these. */
const windowValues = 1_024
/** Of a window's values so many must differ: then the others of 5,000 values that come evenly are in at most a fifth of the granules. */
const differentShare = 0.9
/** Windows in a row that are looked at: a table of fewer rows is looked through in no time. */
const windowsMin = 32
/** Of one table: each index is two more files in every part, one to two milliseconds of an insert. */
const indexesMax = 8

interface Seen {
  /** Hashes of the values of a window that is not full. */
  readonly window: Set<number>
  /** Values of that window. */
  values: number
  /** Full windows; infinite once one of them held too few different values. */
  windows: number
}

/**
 * Finds the keywords and addresses that have almost as many values as rows: ids, hashes, addresses of clients. An index on them rules out the parts of a
 * table that cannot hold a needle (ADR 0002). Of each batch a few values are looked at, and of most columns only those of the first.
 */
export class NeedleColumns {
  readonly #seen = new Map<string, Seen>()

  /** Looks at what rows of a table bring; returns the columns that need an index from now on. */
  note(table: TableMeta, columns: readonly SampledColumn[]): NeededColumn[] {
    const indexed = table.columns.filter(({ type, indexed: has }) => type !== 'text' && has === true)
    const known = new Set(indexed.map(({ path, type }) => `${type} ${path}`))
    const room = indexesMax - indexed.length
    if (room <= 0) return []
    const found = columns.filter(
      (column) => !known.has(`${column.type} ${column.path}`) && this.#isNeedle(table, column),
    )
    return found.slice(0, room).map(({ path, type }) => ({ path, type, many: false, indexed: true }))
  }

  #isNeedle(table: TableMeta, { path, type, hashes }: SampledColumn): boolean {
    const key = `${table.id} ${type} ${path}`
    const seen = this.#seen.get(key) ?? { window: new Set(), values: 0, windows: 0 }
    this.#seen.set(key, seen)
    if (seen.windows === Number.POSITIVE_INFINITY) return false
    for (const hash of hashes(windowValues - seen.values)) {
      seen.window.add(hash)
      seen.values += 1
    }
    if (seen.values < windowValues) return false
    seen.windows = seen.window.size < seen.values * differentShare ? Number.POSITIVE_INFINITY : seen.windows + 1
    seen.window.clear()
    seen.values = 0
    if (seen.windows < windowsMin || seen.windows === Number.POSITIVE_INFINITY) return false
    this.#seen.delete(key)
    return true
  }
}
