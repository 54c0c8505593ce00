import { indicesOf } from '../leaves/filter-keys.ts'
import type { Leaf } from '../leaves/leaves.ts'
import type { SortValue } from '../order/order-key.ts'

/** Which rows of a leaf come next in the order of a scroll. */
interface Ahead {
  readonly sequences: Float64Array
  /** How many of them were shown. */
  readonly at: number
  /** Whether no others follow. */
  readonly isLast: boolean
}

/** A row number takes eight bytes: two megabytes a scroll. */
const sequencesMax = 262_144
const growth = 4

/** Where a scroll stands: the values of its last hit, the very list that it was given. */
type Cursor = readonly SortValue[] | undefined

/**
 * The numbers of the rows that the next pages of a scroll consist of, where their order is one that must be made of all rows that match. They hold for one
 * place in the scroll: asked from another, as after a page that failed, nothing is known. Each look is for four times as many rows as the one before, so that a
 * scroll that ends with its first page pays for none ahead.
 */
export class LookAhead {
  readonly #memory: AheadMemory
  #cursor: Cursor
  #lists = new Map<string, Ahead>()
  #found = new Map<string, Ahead>()
  #reach = 1
  #looked = false
  #ended = false

  constructor(memory: AheadMemory) {
    this.#memory = memory
  }

  /** The next `count` rows of a leaf, fewer where no others follow; undefined where they are to be looked for. */
  next(leaf: Leaf, cursor: Cursor, count: number): Float64Array | undefined {
    const ahead = cursor === undefined || cursor !== this.#cursor ? undefined : this.#lists.get(keyOf(leaf))
    if (!ahead || (!ahead.isLast && ahead.sequences.length - ahead.at < count)) return undefined
    this.#found.set(keyOf(leaf), ahead)
    return ahead.sequences.subarray(ahead.at, ahead.at + count)
  }

  /** How many rows are looked for, of whom `count` are shown next. */
  reach(count: number): number {
    return Math.max(count, Math.min(Math.ceil(sequencesMax / Math.max(1, this.#lists.size)), count * this.#reach))
  }

  /** Takes what was looked for. */
  found(leaf: Leaf, sequences: Float64Array, isLast: boolean): void {
    this.#found.set(keyOf(leaf), { sequences, at: 0, isLast })
    this.#looked = true
  }

  /** Notes the last of the rows that are shown of each leaf, and where the scroll stands then. */
  shown(last: ReadonlyMap<Leaf, number>, cursor: Cursor): void {
    if (this.#ended) {
      this.forget()
      return
    }
    const lists = this.#found
    this.#found = new Map()
    if (this.#looked) this.#reach *= growth
    this.#looked = false
    for (const [leaf, sequence] of last) {
      const ahead = lists.get(keyOf(leaf))
      const place = ahead?.sequences.indexOf(sequence, ahead.at) ?? -1
      if (ahead && place >= 0) lists.set(keyOf(leaf), { ...ahead, at: place + 1 })
      // What is there was found by another page of the scroll, which was read at the same time.
      else lists.delete(keyOf(leaf))
    }
    for (const [key, { sequences, at, isLast }] of lists) if (!isLast && at >= sequences.length) lists.delete(key)
    this.#lists = lists
    this.#cursor = cursor
    this.#memory.used(
      this,
      [...lists.values()].reduce((sum, { sequences }) => sum + sequences.length, 0),
    )
  }

  /** Forgets all rows, also those that a page finds which is still read. */
  end(): void {
    this.#ended = true
    this.forget()
  }

  /** Forgets all rows: they are looked for again. */
  forget(): void {
    this.#lists = new Map()
    this.#found = new Map()
    this.#cursor = undefined
    this.#memory.used(this, 0)
  }
}

/** Of each table the leaves of other filters. */
function keyOf(leaf: Leaf): string {
  return `${indicesOf(leaf)} ${leaf.filters}`
}

/** How many row numbers all scrolls keep together: 64 MiB. */
const keptMax = 8 * 1024 ** 2

/** Who keeps how many row numbers; those who have not been used for longest lose theirs. */
export class AheadMemory {
  readonly #kept = new Map<LookAhead, number>()
  readonly #max: number
  #all = 0

  constructor(max = keptMax) {
    this.#max = max
  }

  used(ahead: LookAhead, count: number): void {
    this.#all += count - (this.#kept.get(ahead) ?? 0)
    this.#kept.delete(ahead)
    if (count === 0) return
    this.#kept.set(ahead, count)
    for (const other of this.#kept.keys()) {
      if (this.#all <= this.#max || other === ahead) return
      other.forget()
    }
  }
}
