import { z } from 'zod'
import { join, num, type Sql, sql } from '../../sql/sql.ts'
import type { FoundBucket, JsonObject, KeyPart } from '../define-aggregation.ts'

/** The `ranges` of an aggregation: a list, or one alone. */
export function rangesOf<T>(member: z.ZodType<T>) {
  const many = z.array(member).min(1)
  return z.preprocess((given) => (given === undefined || Array.isArray(given) ? given : [given]), many)
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

/** The positions of the spans that a row's values lie in. */
export function rangeKey(spans: readonly Span[], values: { readonly sql: Sql; readonly many: boolean }): KeyPart {
  const within = (value: Sql, { from, to }: Span) =>
    join(
      [
        sql`isNotNull(${value})`,
        ...(from === undefined ? [] : [sql`${value} >= ${num(from)}`]),
        ...(to === undefined ? [] : [sql`${value} < ${num(to)}`]),
      ],
      ' AND ',
    )
  const held = spans.map((span, at) => {
    const holds = values.many
      ? sql`arrayExists(x -> ${within(sql`x`, span)}, ${values.sql})`
      : sql`ifNull(${within(values.sql, span)}, 0)`
    return sql`if(${holds}, [${num(at)}], [])`
  })
  return { sql: sql`arrayConcat(${join(held, ', ')})`, many: true, type: 'long' }
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
