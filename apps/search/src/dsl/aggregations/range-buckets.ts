import { z } from 'zod'
import type { JsonObject } from '../../json/json-object.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import type { FoundBucket } from '../define-aggregation.ts'

/** The `ranges` of an aggregation: a list, or one alone. */
export function rangesOf<T>(member: z.ZodType<T>) {
  const many = z.array(member)
  return z.preprocess((given) => (Array.isArray(given) ? given : given === undefined ? [] : [given]), many)
}

/** Refuses an aggregation without ranges. */
export function checkRanges(ranges: readonly unknown[], name: string): void {
  if (ranges.length === 0) throw illegalArgument(`No [ranges] specified for the [${name}] aggregation`)
}

/** A span of values with the name and bounds it is answered under. */
export interface Span {
  readonly from: number | undefined
  readonly to: number | undefined
  readonly key: string
  readonly shown: JsonObject
}

/** Spans in the order they are answered: by `from`, then by `to`. */
export function sortedRanges(spans: readonly Span[]): Span[] {
  const low = (span: Span) => span.from ?? Number.NEGATIVE_INFINITY
  const high = (span: Span) => span.to ?? Number.POSITIVE_INFINITY
  const order = (a: number, b: number) => (a < b ? -1 : a > b ? 1 : 0)
  return [...spans].sort((a, b) => order(low(a), low(b)) || order(high(a), high(b)))
}

/** Every span, also those without documents. */
export function renderRanges(
  spans: readonly Pick<Span, 'key' | 'shown'>[],
  keyed: boolean,
  found: readonly FoundBucket[],
  empty: () => JsonObject,
): JsonObject {
  const byKey = new Map(found.map((bucket) => [Number(bucket.key[0]), bucket]))
  const buckets = spans.map((span, at): [string, JsonObject] => {
    const bucket = byKey.get(at)
    return [span.key, { ...span.shown, doc_count: bucket?.count ?? 0, ...(bucket ? bucket.body : empty()) }]
  })
  if (keyed) return { buckets: Object.fromEntries(buckets) }
  return { buckets: buckets.map(([key, bucket]) => ({ key, ...bucket })) }
}
