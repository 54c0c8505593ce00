import type { JsonObject } from '../../json/json-object.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { tooManyBuckets } from '../bucket-limit.ts'
import type { FoundBucket } from '../define-aggregation.ts'
import type { OrderCriterion } from './bucket-order.ts'

/** A bucket of a histogram at its start. */
export interface StartedBucket {
  readonly start: number
  readonly bucket: Pick<FoundBucket, 'count' | 'body'>
}

/** Refuses bounds of which the lower one is above the upper one, in the name of their aggregation. */
export function checkBounds(
  { min, max }: { readonly min?: number | undefined; readonly max?: number | undefined },
  name: string,
  show: (bound: number) => string = String,
): void {
  if (min === undefined || max === undefined || min <= max) return
  throw illegalArgument(
    `[extended_bounds.min][${show(min)}] cannot be greater than [extended_bounds.max][${show(max)}] for histogram aggregation [${name}]`,
  )
}

/** Fills the gaps between buckets that stand in ascending order, and from `min` to `max` where these lie outside. Throws above the bucket limit. */
export function fillGaps(
  found: readonly StartedBucket[],
  steps: { floor(value: number): number; next(start: number): number },
  bounds: { readonly min?: number | undefined; readonly max?: number | undefined },
  empty: () => JsonObject,
  bucketsMax: number,
): StartedBucket[] {
  const first = lowest(found[0]?.start, bounds.min === undefined ? undefined : steps.floor(bounds.min))
  const last = highest(found.at(-1)?.start, bounds.max === undefined ? undefined : steps.floor(bounds.max))
  // Without any bucket only bounds on both sides say where to begin and to end.
  if (first === undefined || last === undefined) return [...found]
  const filled: StartedBucket[] = []
  let at = 0
  for (let start = first; start <= last; start = steps.next(start)) {
    const next = found[at]
    if (next && next.start <= start) {
      filled.push(next)
      at++
    } else filled.push({ start, bucket: { count: 0, body: empty() } })
    if (filled.length > bucketsMax) throw tooManyBuckets(bucketsMax)
  }
  return [...filled, ...found.slice(at)]
}

function lowest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
}

function highest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b)
}

/** Orders by key and count. */
export function reordered(buckets: readonly StartedBucket[], criteria: readonly OrderCriterion[]): StartedBucket[] {
  return [...buckets].sort((a, b) => {
    for (const { path, descending } of criteria) {
      const difference = path === '_count' ? a.bucket.count - b.bucket.count : a.start - b.start
      if (difference !== 0) return descending ? -difference : difference
    }
    return 0
  })
}
