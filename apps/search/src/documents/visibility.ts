import { join, num, type Sql, sql, unlessAbove } from '../sql/sql.ts'
import type { Visibility } from './documents.ts'

/**
 * The condition that every read of a table carries: committed rows, without those that are replaced or deleted. With the catalogue id of the `table` the
 * bound can be left out while nothing lies above it (`TableContents`).
 */
export function visibleSql(visibility: Visibility, table?: number): Sql {
  // Answers are kept by the text of their statement: after an expiry it must be another one.
  const since = visibility.expiries === 0 ? sql`` : sql` /* ${num(visibility.expiries)} expired */`
  const { seq } = visibility
  const bound = sql`_seq <= ${num(seq)}${since}`
  const committed = table === undefined ? bound : unlessAbove({ table, seq }, bound)
  if (visibility.dead.length === 0) return committed
  return sql`${committed} AND _seq NOT IN (${join(visibility.dead.map(num), ', ')})`
}

/** Rows of one partition that a commit replaced or deleted. */
export interface DeadRows {
  /** Catalogue id of the table. */
  readonly table: number
  readonly tableName: string
  readonly partition: number
  readonly sequences: readonly number[]
}

/**
 * The snapshot of what readers may see. A commit is one call, between two turns of the event loop: no reader sees a document's new version
 * beside its old one, nor neither of them.
 */
export class VisibleRows {
  #seq: number
  readonly #startSeq: number
  /** Of each table the last commit that touched it, so that a commit to another one changes nothing for its readers. */
  readonly #seqs = new Map<number, number>()
  readonly #replaced = new Map<number, number>()
  readonly #expiries = new Map<number, number>()
  readonly #dead = new Map<number, readonly number[]>()
  readonly #snapshots = new Map<number, Visibility>()
  /** What each hold began with. */
  readonly #held = new Map<() => void, number>()

  constructor(seq: number) {
    this.#seq = seq
    this.#startSeq = seq
  }

  of(table: number): Visibility {
    const known = this.#snapshots.get(table)
    if (known !== undefined) return known
    const snapshot = {
      seq: this.#seqs.get(table) ?? this.#startSeq,
      dead: this.#dead.get(table) ?? [],
      replaced: this.#replaced.get(table) ?? 0,
      expiries: this.#expiries.get(table) ?? 0,
    }
    this.#snapshots.set(table, snapshot)
    return snapshot
  }

  /** Keeps the rows that are visible now, or were in older snapshots that are held, until the function given back is called. */
  hold(snapshots: Iterable<Visibility> = []): () => void {
    const release = (): void => void this.#held.delete(release)
    this.#held.set(release, Math.min(this.#seq, ...[...snapshots].map(({ seq }) => seq)))
    return release
  }

  /** Whether no held snapshot shows the rows that the commit of `seq` replaced. */
  isUnheld(seq: number): boolean {
    for (const held of this.#held.values()) if (held < seq) return false
    return true
  }

  /** Shows the rows up to `seq` in the tables they were written to and hides the dead ones, at once. */
  commit(seq: number, dead: readonly DeadRows[], written: Iterable<number>): void {
    this.#seq = Math.max(this.#seq, seq)
    for (const { table, sequences } of dead) {
      this.#dead.set(table, [...(this.#dead.get(table) ?? []), ...sequences])
      this.#replaced.set(table, (this.#replaced.get(table) ?? 0) + sequences.length)
    }
    for (const table of [...written, ...dead.map(({ table }) => table)]) {
      this.#seqs.set(table, this.#seq)
      this.#snapshots.delete(table)
    }
  }

  /** Makes the snapshot of a table another one, after rows were taken from it beside all commits. */
  expire(table: number): void {
    this.#expiries.set(table, (this.#expiries.get(table) ?? 0) + 1)
    this.#snapshots.delete(table)
  }

  /** Forgets dead rows that the engine has deleted. */
  purged(dead: readonly DeadRows[]): void {
    for (const { table, sequences } of dead) {
      const gone = new Set(sequences)
      this.#dead.set(
        table,
        (this.#dead.get(table) ?? []).filter((sequence) => !gone.has(sequence)),
      )
      this.#snapshots.delete(table)
    }
  }
}
