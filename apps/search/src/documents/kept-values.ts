import type { Collection, Store } from '../store/store.ts'
import type { TableContents } from './table-contents.ts'
import { type KnownValues, ValueSet } from './value-set.ts'

/** What is known of a column: all rows numbered up to `seq` were read, -1 before the first, and have no other values. */
export interface Known {
  readonly seq: number
  readonly values: KnownValues
}

interface KeptTable {
  /** When the reading of its rows began, in epoch milliseconds. */
  readonly sinceMs: number
  readonly columns: Readonly<Record<string, KeptColumn | undefined>>
}

interface KeptColumn {
  readonly seq: number
  readonly values: readonly string[] | 'many'
}

/** Older knowledge is read again at the next start: values of rows that are gone stay in it, until they are too many. */
const keptMsMax = 7 * 86_400_000

/** A table by its catalogue id, and what is known of its columns by their names. */
export type KnownTable = readonly [table: number, columns: ReadonlyMap<string, Known>]

/**
 * What is known of columns, kept in the catalogue's store over the end of search, as reading it takes a second of a processor for a million rows. What is kept never becomes wrong:
 * rows that come later have higher numbers, also those that an earlier version writes or restores, and what a crash takes was not known yet. Only while
 * rows are restored in this process are there numbers below others that were shown, so of such a table nothing is kept until the next start. Once a week it is forgotten.
 */
export class KeptValues {
  readonly #store: Pick<Store, 'transaction'>
  readonly #tables: Collection<KeptTable>
  readonly #contents: Pick<TableContents, 'hadRestores'>
  readonly #now: () => number
  /** Of tables that were asked for, when the reading of their rows began. */
  readonly #since = new Map<number, number>()

  constructor(
    store: Pick<Store, 'transaction' | 'collection'>,
    contents: Pick<TableContents, 'hadRestores'>,
    now: () => number,
  ) {
    this.#store = store
    this.#tables = store.collection('column_values')
    this.#contents = contents
    this.#now = now
  }

  /** What is kept of a table; the map is the caller's. */
  of(table: number): Map<string, Known> {
    const { sinceMs, columns } = this.#tables.get(String(table)) ?? { sinceMs: 0, columns: {} }
    const isFresh = this.#now() - sinceMs < keptMsMax
    this.#since.set(table, isFresh ? sinceMs : this.#now())
    return new Map(
      Object.entries(isFresh ? columns : {}).flatMap(([name, column]) =>
        column === undefined
          ? []
          : [[name, { seq: column.seq, values: column.values === 'many' ? 'many' : valueSet(column.values) }]],
      ),
    )
  }

  /** Keeps what would otherwise be read again, of tables of which that is `rowsMin` rows at least; forgets tables that are not `there`. Durable when resolved. */
  async keep(known: Iterable<KnownTable>, there: ReadonlySet<number>, rowsMin: number): Promise<void> {
    const grown = [...known].filter(
      ([table, columns]) =>
        there.has(table) && !this.#contents.hadRestores(table) && this.#unkeptRows(table, columns) >= rowsMin,
    )
    const gone = [...this.#tables.entries()].flatMap(([table]) => (there.has(Number(table)) ? [] : [table]))
    if (grown.length + gone.length === 0) return
    const records = grown.map(([table, columns]) => {
      const sinceMs = this.#since.get(table) ?? this.#now()
      return [String(table), { sinceMs, columns: keptColumns(columns) }] as const
    })
    await this.#store.transaction(() => {
      for (const table of gone) this.#tables.remove(table)
      for (const [table, record] of records) this.#tables.put(table, record)
    })
  }

  /** Of the column that is furthest ahead, how many rows' values are known and not kept; all of a table of which others are kept that were read before. */
  #unkeptRows(table: number, columns: ReadonlyMap<string, Known>): number {
    const kept = this.#tables.get(String(table))
    const before = kept?.sinceMs === this.#since.get(table) ? (kept?.columns ?? {}) : {}
    return Math.max(
      0,
      ...[...columns].map(([name, { seq, values }]) => {
        const own = before[name]
        if (own === undefined) return seq + 1
        return values === 'many' ? Number(own.values !== 'many') : seq - own.seq
      }),
    )
  }
}

function valueSet(values: readonly string[]): ValueSet {
  return new ValueSet(new Set(values))
}

function keptColumns(columns: ReadonlyMap<string, Known>): KeptTable['columns'] {
  return Object.fromEntries(
    [...columns].map(([name, { seq, values }]) => [
      name,
      { seq, values: values === 'many' ? values : [...values.values] },
    ]),
  )
}
