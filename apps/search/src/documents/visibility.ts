import { join, num, type Sql, sql, unlessAbove } from '../sql/sql.ts'

/**
 * What readers may see of a table at one moment: rows up to `seq`, without the dead ones whose deletion is still under way. It stays the same
 * object until a commit touches the table or rows of it expire.
 */
export interface Visibility {
  readonly seq: number
  readonly dead: readonly number[]
  /** How many rows of the table were replaced or deleted since the start: so many fewer than before may be there. */
  readonly replaced: number
  /** How often rows were taken from the table beside all commits since the start, as retention does: what was known of it before says nothing. */
  readonly expiries: number
}

/** Rows that stay in the engine though writes replace them. */
export interface Hold {
  /** Lets go of rows that whoever holds them has no more use for, by their sequence numbers. */
  done(sequences: Iterable<number>): void
  release(): void
}

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
  return sql`${committed} AND ${isAlive(visibility)}`
}

/** So many numbers on end are said by the first and the last of them. */
const runRowsMin = 64
/** Each is a comparison of every row, which a list of numbers is once. */
const runsMax = 8

const aliveTexts = new WeakMap<readonly number[], Sql>()

/** That a row is none of the dead ones. Many that were deleted together lie on end: named one by one they would make every statement dear to read. */
function isAlive({ dead }: Visibility): Sql {
  const known = aliveTexts.get(dead)
  if (known !== undefined) return known
  const { runs, others } = runsOf(dead)
  const conditions = [
    ...(others.length > 0 ? [sql`_seq NOT IN (${join(others.map(num), ', ')})`] : []),
    ...runs.map(([first, last]) => sql`_seq NOT BETWEEN ${num(first)} AND ${num(last)}`),
  ]
  const alive = join(conditions, ' AND ')
  aliveTexts.set(dead, alive)
  return alive
}

/** The longest runs of numbers on end, first and last of each, and what is in none of them. */
export function runsOf(numbers: readonly number[]): {
  readonly runs: readonly (readonly [first: number, last: number])[]
  readonly others: readonly number[]
} {
  if (numbers.length < runRowsMin) return { runs: [], others: numbers }
  const sorted = Float64Array.from(numbers).sort()
  const found: (readonly [first: number, last: number])[] = []
  for (let from = 0; from < sorted.length; ) {
    const first = sorted[from] ?? 0
    let until = from + 1
    while (until < sorted.length && sorted[until] === first + until - from) until += 1
    if (until - from >= runRowsMin) found.push([first, first + until - from - 1])
    from = until
  }
  const runs = found.sort((a, b) => b[1] - b[0] - (a[1] - a[0])).slice(0, runsMax)
  const others = numbers.filter((number) => !runs.some(([first, last]) => number >= first && number <= last))
  return { runs, others }
}

/** Rows of one partition that a commit replaced or deleted. */
export interface DeadRows {
  /** Catalogue id of the table. */
  readonly table: number
  readonly tableName: string
  readonly partition: number
  readonly sequences: readonly number[]
}

/** What somebody reads for longer than one statement. */
interface HeldRows {
  /** What was visible when it began, or earlier. */
  readonly seq: number
  /** Rows it has no more use for and that may be replaced. */
  readonly done: Set<number>
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
  /** The same for looks at single rows. */
  readonly #deadSets = new Map<number, Set<number>>()
  readonly #snapshots = new Map<number, Visibility>()
  readonly #held = new Set<HeldRows>()

  constructor(seq: number) {
    this.#seq = seq
    this.#startSeq = seq
  }

  /** The highest number that any table shows. */
  get seq(): number {
    return this.#seq
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

  /** Keeps the rows that are visible now, or were in older snapshots that are held, until it is released. */
  hold(snapshots: Iterable<Visibility> = []): Hold {
    const held: HeldRows = {
      seq: Math.min(this.#seq, ...[...snapshots].map(({ seq }) => seq)),
      done: new Set(),
    }
    this.#held.add(held)
    return {
      done: (sequences) => {
        for (const sequence of sequences) held.done.add(sequence)
      },
      release: () => void this.#held.delete(held),
    }
  }

  /** Whether the rows that the commit of `seq` replaced may go: no held snapshot shows them to somebody who still reads them. */
  isUnheld(seq: number, dead: readonly DeadRows[]): boolean {
    for (const held of this.#held) {
      if (held.seq >= seq) continue
      if (!dead.every(({ sequences }) => sequences.every((sequence) => held.done.has(sequence)))) return false
    }
    return true
  }

  /** Whether a row that was visible when a hold began, which lasts, is still the one of its document. */
  isCurrent(table: number, sequence: number): boolean {
    return this.#deadSets.get(table)?.has(sequence) !== true
  }

  /** Shows the rows up to `seq` in the tables they were written to and hides the dead ones, at once. */
  commit(seq: number, dead: readonly DeadRows[], written: Iterable<number>): void {
    this.#seq = Math.max(this.#seq, seq)
    for (const { table, sequences } of dead) {
      this.#dead.set(table, (this.#dead.get(table) ?? []).concat(sequences))
      const set = this.#deadSets.get(table) ?? new Set()
      this.#deadSets.set(table, set)
      for (const sequence of sequences) set.add(sequence)
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
      for (const sequence of sequences) {
        this.#deadSets.get(table)?.delete(sequence)
        for (const { done } of this.#held) done.delete(sequence)
      }
      this.#dead.set(
        table,
        (this.#dead.get(table) ?? []).filter((sequence) => !gone.has(sequence)),
      )
      this.#snapshots.delete(table)
    }
  }
}
