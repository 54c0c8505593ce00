import type { PlanServices } from '../leaves/leaf-request.ts'
import type { Leaf } from '../leaves/leaves.ts'
import { filterCounts } from '../pruning/filter-counts.ts'
import { type Total, type Track, totalOf } from '../pruning/totals.ts'
import type { FoundHits } from './hits.ts'

/** A first page of hits, and how many hits it has room for. */
export interface Page {
  readonly leaves: readonly Leaf[]
  readonly room: number
  /** Whether all that is found would be on it: nothing is left out before it, nor for being like another. */
  readonly isWhole: boolean
}

/**
 * The hits, and how many match. A first page that is not full says how many there are; that is known only when it is read, so hits are counted beside it.
 * Filters that found less than a page before (a needle, the query of an alert, a dashboard looked at again) are counted afterwards, if at all.
 */
export async function hitsWithTotal(
  services: PlanServices,
  { leaves, room, isWhole }: Page,
  track: Track,
  run: { readonly hits: () => Promise<FoundHits>; readonly count: () => Promise<Total> },
): Promise<{ readonly found: FoundHits; readonly total: Total }> {
  const known = filterCounts(services.documents)
  const counting = isWhole && known.areFew(leaves, room) ? undefined : run.count()
  const [found, counted] = await Promise.all([run.hits(), counting])
  if (isWhole) {
    const fits = found.hits.length < room
    const byLeaf = new Map(leaves.map((leaf) => [leaf, 0]))
    for (const { leaf } of found.hits) byLeaf.set(leaf, (byLeaf.get(leaf) ?? 0) + 1)
    for (const [leaf, count] of byLeaf) known.learn(leaf, count, fits)
    if (fits) return { found, total: totalOf(found.hits.length, track) }
  }
  return { found, total: counted ?? (await run.count()) }
}
