import { z } from 'zod'
import type { JsonObject } from '../../json/json-object.ts'
import { join, num, type Sql, sql } from '../../sql/sql.ts'
import type { FoundBucket, KeyPart } from '../define-aggregation.ts'
import { illegalArgument } from '../shapes/refuse.ts'

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

/** The positions of the spans that a row's values lie in; a single value lies in one of spans that do not overlap. */
export function rangeKey(spans: readonly Span[], values: { readonly sql: Sql; readonly many: boolean }): KeyPart {
  const bounds = (value: Sql, { from, to }: Span) => [
    ...(from === undefined ? [] : [sql`${value} >= ${num(from)}`]),
    ...(to === undefined ? [] : [sql`${value} < ${num(to)}`]),
  ]
  const within = (value: Sql, span: Span) => join([sql`isNotNull(${value})`, ...bounds(value, span)], ' AND ')
  if (!values.many && !overlap(spans)) {
    // No list for every row: that costs five times as much as the comparisons. What is NULL is greater or less than nothing.
    const chosen = spans.map((span, at) => {
      const given = bounds(values.sql, span)
      return sql`${given.length === 0 ? within(values.sql, span) : join(given, ' AND ')}, ${num(at)}`
    })
    return { sql: sql`multiIf(${join(chosen, ', ')}, NULL)`, many: false, type: 'long' }
  }
  const held = spans.map((span, at) => {
    const holds = values.many
      ? sql`arrayExists(x -> ${within(sql`x`, span)}, ${values.sql})`
      : sql`ifNull(${within(values.sql, span)}, 0)`
    return sql`if(${holds}, [${num(at)}], [])`
  })
  return { sql: sql`arrayConcat(${join(held, ', ')})`, many: true, type: 'long' }
}

/** Whether a value can lie in two of the spans, which stand in order. */
function overlap(spans: readonly Span[]): boolean {
  let end = Number.NEGATIVE_INFINITY
  return spans.some(({ from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }, at) => {
    const reaches = at > 0 && from < end
    end = Math.max(end, to)
    return reaches
  })
}

/** Every span, also those without documents. */
export function renderRanges(
  spans: readonly Span[],
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
