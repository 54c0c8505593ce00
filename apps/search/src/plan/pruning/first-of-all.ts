import type { Bounds } from '../../documents/table-bounds.ts'
import { ident, num, type Sql, sql } from '../../sql/sql.ts'

/** Leaves that are read at one time: as many as the engine has sessions for light reads. */
const atOnceMax = 4

/** By which column of whole numbers all leaves of a search lie in the order of its hits. */
export interface CommonOrder {
  readonly column: '_time' | '_seq'
  readonly descending: boolean
}

/** The number that no row of a table is before in an order, where that is known. */
export function beginsAt({ column, descending }: CommonOrder, bounds: Bounds | undefined): number | undefined {
  if (column === '_time') return descending ? bounds?.newestMs : undefined
  return descending ? undefined : bounds?.firstSeq
}

/**
 * The first rows of several leaves as far as they are read: beyond the last of as many as are wanted no other leaf has one of the first. The newest 500 of a hundred data streams, which
 * lie in a table each, are then some 2,500 rows with their sources instead of 50,000 (ADR 0007).
 */
export class FirstOfAll {
  readonly order: CommonOrder
  readonly #wanted: number
  /** The first numbers in the order, at most as many as are wanted. */
  #first: readonly number[] = []

  constructor(order: CommonOrder, wanted: number) {
    this.order = order
    this.#wanted = wanted
  }

  /** Leaves in the order in which they begin, those first of which it is not known: the sooner the first rows are known, the fewer leaves are read. */
  inTurn<Leaf>(leaves: readonly Leaf[], beginning: (leaf: Leaf) => number | undefined): readonly Leaf[] {
    const placed = leaves.map((leaf) => ({ leaf, begins: beginning(leaf) }))
    const unknown = placed.filter(({ begins }) => begins === undefined)
    const known = placed.flatMap(({ leaf, begins }) => (begins === undefined ? [] : [{ leaf, begins }]))
    known.sort((a, b) => (a.begins === b.begins ? 0 : this.#isBefore(a.begins, b.begins) ? -1 : 1))
    return [...unknown, ...known].map(({ leaf }) => leaf)
  }

  /** Whether nothing that begins at a number can be among the first. */
  isBeyond(begins: number | undefined): boolean {
    const last = this.#first[this.#wanted - 1]
    return last !== undefined && begins !== undefined && begins !== last && this.#isBefore(last, begins)
  }

  /** What a row must meet to be among the first; undefined while fewer are known than are wanted. */
  condition(): Sql | undefined {
    const last = this.#first[this.#wanted - 1]
    if (last === undefined) return undefined
    return sql`${ident(this.order.column)} ${this.order.descending ? sql`>=` : sql`<=`} ${num(last)}`
  }

  /** Takes the numbers of what a leaf had, in the order. */
  found(numbers: readonly number[]): void {
    const known = this.#first
    const merged: number[] = []
    for (let [at, other] = [0, 0]; merged.length < this.#wanted; ) {
      const [mine, theirs] = [known[at], numbers[other]]
      if (mine === undefined && theirs === undefined) break
      const isMine = theirs === undefined || (mine !== undefined && this.#isBefore(mine, theirs))
      merged.push((isMine ? mine : theirs) as number)
      if (isMine) at += 1
      else other += 1
    }
    this.#first = merged
  }

  #isBefore(a: number, b: number): boolean {
    return this.order.descending ? a >= b : a <= b
  }
}

/** What `work` makes of each, a few at a time, in the order of `all`. */
export async function fewAtOnce<T, Made>(all: readonly T[], work: (one: T) => Promise<Made>): Promise<Made[]> {
  const made: Made[] = []
  const left = all.entries()
  const goOn = async (): Promise<void> => {
    for (const [at, one] of left) made[at] = await work(one)
  }
  await Promise.all(Array.from({ length: Math.min(atOnceMax, all.length) }, goOn))
  return made
}
