import { firstRows } from './first-rows.ts'
import type { FoundHits } from './hits.ts'
import type { Leaf, PlanServices } from './leaves.ts'
import { type Total, type Track, totalOf } from './totals.ts'

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
  const known = firstRows(services)
  if (!isWhole) {
    const [found, total] = await Promise.all([run.hits(), run.count()])
    return { found, total }
  }
  const counting = known.areFew(leaves, room) ? undefined : run.count()
  const found = await Promise.all([run.hits(), counting]).then(([hits]) => hits)
  const fits = found.hits.length < room
  for (const leaf of leaves) known.counted(leaf, found.hits.filter((hit) => hit.leaf === leaf).length, fits)
  if (fits) return { found, total: totalOf(found.hits.length, track) }
  return { found, total: await (counting ?? run.count()) }
}
