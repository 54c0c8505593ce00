import { filterOf, keep } from '../leaves/filter-keys.ts'
import type { Leaf } from '../leaves/leaves.ts'

/**
 * How many rows filters found when they were last asked for, whatever the bounds of time. Only what is looked for first is chosen by it: a wrong guess
 * costs a statement and never an answer.
 */
export class FilterCounts {
  readonly #counts = new Map<string, { readonly found: number; readonly areAll: boolean }>()

  /** Whether all that the leaves find is less than `count` rows. */
  areFew(leaves: readonly Leaf[], count: number): boolean {
    const counts = leaves.map((leaf) => this.#counts.get(filterOf(leaf) ?? ''))
    return counts.length > 0 && counts.every((known) => known?.areAll && known.found < count)
  }

  /** Whether a leaf finds more than `count` rows. */
  areMany(leaf: Leaf, count: number): boolean {
    return (this.#counts.get(filterOf(leaf) ?? '')?.found ?? 0) > count
  }

  /** Notes how many rows a leaf found: all of them, or as many as were asked for. */
  learn(leaf: Leaf, found: number, areAll: boolean): void {
    const filter = filterOf(leaf)
    if (filter === undefined) return
    const before = areAll ? 0 : (this.#counts.get(filter)?.found ?? 0)
    keep(this.#counts, filter, { found: Math.max(found, before), areAll })
  }
}

const countsOf = new WeakMap<object, FilterCounts>()

/** What is known of the filters of a running store of documents. */
export function filterCounts(documents: object): FilterCounts {
  const known = countsOf.get(documents) ?? new FilterCounts()
  countsOf.set(documents, known)
  return known
}
