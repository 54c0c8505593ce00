import { asksTokenIndex } from '../../sql/predicate-to-sql.ts'
import { timeBounds } from '../../sql/time-pruning.ts'
import { indicesOf, keep, searchOf } from '../leaves/filter-keys.ts'
import type { PlanServices } from '../leaves/leaf-request.ts'
import { columnLookup, type Leaf } from '../leaves/leaves.ts'
import { findsAll } from './totals.ts'

/** Where the rows that a search finds first lie, as the last look at them showed it. */
interface Arrivals {
  /** The sequence number of the first. */
  readonly first: number
  /** Sequence numbers that one row is found in; infinite where fewer rows were found than were asked for. */
  readonly perRow: number
}

/** What is asked for: how many rows, the first or those after a sequence number, and of each value of which field only the first. */
export interface ArrivalsWanted {
  readonly count: number
  readonly from: number | undefined
  readonly collapse: string | undefined
}

const spanMin = 1_024
/** A search's matches are not spread evenly. */
const spreadShare = 2
/** Sequence numbers in which a filter is looked for that nothing is known of, and their share of all; in fewer numbers a look costs as much as in all. */
const unknownSpanMax = 65_536
const unknownShare = 16
const unknownSpanMin = 16_384

/**
 * Up to which sequence number the rows that a search finds first are looked for. Of a search that was made before that is known; another one is
 * tried in the first rows of its indices, once: what finds little there is remembered.
 */
export class FirstArrivals {
  readonly #arrivals = new Map<string, Arrivals>()
  /** The least sequence number that was found in the indices. */
  readonly #least = new Map<string, number>()

  /** The last sequence number of the narrow look; undefined where all must be looked at, or most. */
  until(services: Pick<PlanServices, 'catalogue'>, leaf: Leaf, wanted: ArrivalsWanted): number | undefined {
    const known = this.#arrivals.get(keyOf(leaf, wanted))
    const start = wanted.from ?? this.#least.get(indicesOf(leaf))
    if (start === undefined) return undefined
    const left = leaf.visibility.seq - start
    if (!known) return guessesUnknown(services, leaf, wanted) ? unknownUntil(start, left) : undefined
    const span = Math.max(spanMin, spreadShare * known.perRow * wanted.count)
    const until = Math.ceil((wanted.from ?? known.first) + span)
    return 2 * (until - start) < left ? until : undefined
  }

  /** Notes the sequence numbers that were found, in order. */
  found(leaf: Leaf, wanted: ArrivalsWanted, sequences: readonly number[]): void {
    const { count, from } = wanted
    const key = keyOf(leaf, wanted)
    const [found] = sequences
    const last = sequences.at(-1)
    const known = this.#arrivals.get(key)
    if (from === undefined && found !== undefined) this.#noteLeast(leaf, found)
    // The last page of many says nothing of the others.
    if (sequences.length < count && from !== undefined) return
    const start = from ?? found ?? 0
    const perRow = sequences.length < count || last === undefined ? Number.POSITIVE_INFINITY : (last - start) / count
    keep(this.#arrivals, key, { first: from === undefined ? start : Math.min(known?.first ?? start, start), perRow })
  }

  #noteLeast(leaf: Leaf, sequence: number): void {
    const indices = indicesOf(leaf)
    const before = this.#least.get(indices)
    // What all documents begin with is the least, also after those before were deleted.
    const least = before === undefined || findsAll(leaf) ? sequence : Math.min(before, sequence)
    keep(this.#least, indices, least)
  }
}

function keyOf(leaf: Leaf, { collapse }: ArrivalsWanted): string {
  return `${collapse === undefined ? '' : `by ${collapse}: `}${searchOf(leaf)}`
}

/**
 * Rows between bounds of time lie anywhere by arrival, and are looked for within these bounds alone. What a token index finds costs as much as it finds.
 * The values of a collapsed field may be few.
 */
function guessesUnknown(services: Pick<PlanServices, 'catalogue'>, leaf: Leaf, { from, collapse }: ArrivalsWanted) {
  const bounds = timeBounds(leaf.predicate)
  if (from !== undefined || collapse !== undefined) return false
  if (Number.isFinite(bounds.from) || Number.isFinite(bounds.to)) return false
  return leaf.predicate.op !== 'ids' && !asksTokenIndex(leaf.predicate, columnLookup(services, leaf))
}

function unknownUntil(start: number, left: number): number | undefined {
  const span = Math.min(unknownSpanMax, Math.floor(left / unknownShare))
  return span < unknownSpanMin ? undefined : start + span
}
