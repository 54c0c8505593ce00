import type { Visibility } from '../../documents/visibility.ts'
import { indicesOf, keep } from '../leaves/filter-keys.ts'
import type { Leaf } from '../leaves/leaves.ts'

interface Known {
  readonly visibility: Visibility
  readonly count: number
}

/**
 * How many documents the indices of a leaf hold in all, as of an earlier snapshot. As long as the table is not written to that is the count
 * itself; later it is a bound, since at most the rows that were replaced since then are gone.
 */
export class KnownCounts {
  readonly #known = new Map<string, Known>()

  /** The exact count, where nothing was written since. */
  exact(leaf: Leaf): number | undefined {
    const known = this.#known.get(indicesOf(leaf))
    return known?.visibility === leaf.visibility ? known.count : undefined
  }

  /** So many documents are there, or more. */
  least(leaf: Leaf): number {
    const known = this.#known.get(indicesOf(leaf))
    // An older snapshot, as scrolls hold them, may show fewer documents than were there later.
    if (!known || leaf.visibility.seq < known.visibility.seq) return 0
    if (leaf.visibility.expiries !== known.visibility.expiries) return 0
    return known.count - (leaf.visibility.replaced - known.visibility.replaced)
  }

  learn(leaf: Leaf, count: number): void {
    const key = indicesOf(leaf)
    const older = this.#known.get(key)
    if (older && isNewer(older.visibility, leaf.visibility)) return
    keep(this.#known, key, { visibility: leaf.visibility, count })
  }
}

function isNewer(a: Visibility, b: Visibility): boolean {
  return a.seq > b.seq || a.expiries > b.expiries
}

const countsOf = new WeakMap<object, KnownCounts>()

/** The counts that are known of a running store of documents. */
export function knownCounts(documents: object): KnownCounts {
  const known = countsOf.get(documents) ?? new KnownCounts()
  countsOf.set(documents, known)
  return known
}
