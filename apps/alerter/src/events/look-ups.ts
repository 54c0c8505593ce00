import type { SearchClient } from '@logstack/search-client'
import type { Rule } from '../rule-files/rule.ts'
import type { Baseline, EventMark, RuleMatch, WindowAnswer, WindowQuery } from '../rule-types/define-rule-type.ts'
import { timeBound } from '../rule-values/event-time.ts'
import { type Span, spansOf } from './find-events.ts'
import { searchCounting } from './text-keys.ts'

const termsMax = 10_000
const relatedMax = 100

interface Bucket {
  readonly key: unknown
  readonly key_as_string?: string
  readonly doc_count: number
  readonly [name: string]: unknown
}

interface Answer {
  readonly hits?: { readonly total?: { readonly value: number } }
  readonly aggregations?: Readonly<Record<string, unknown>>
}

/** Questions that rules ask of search besides new events. */
export class LookUps {
  readonly #client: SearchClient

  constructor(client: SearchClient) {
    this.#client = client
  }

  /** The aggregations of a rule's window `[from, to)` (epoch ms), for each key and bucket of time. Nothing where there were no events. */
  async window(rule: Rule, query: WindowQuery, from: number, to: number): Promise<WindowAnswer[]> {
    const { timestamp, queryKey } = rule
    let aggs: Readonly<Record<string, unknown>> = query.aggs
    if (query.bucketMs !== undefined) {
      const offset = query.syncBuckets ? 0 : from % query.bucketMs
      const histogram = {
        field: timestamp.field,
        fixed_interval: `${query.bucketMs}ms`,
        offset: `${offset}ms`,
        min_doc_count: 1,
      }
      aggs = { interval_aggs: { date_histogram: histogram, aggs } }
    }
    for (const field of [...queryKey].reverse())
      aggs = { bucket_aggs: { terms: { field, size: rule.termsSize, min_doc_count: query.termsMinCount }, aggs } }
    const answer = await this.#search(
      rule,
      { gte: timeBound(timestamp, from), lt: timeBound(timestamp, to) },
      { aggs, track_total_hits: true },
    )
    if ((answer.hits?.total?.value ?? 0) === 0) return []
    return answersOf(answer.aggregations ?? {}, [], to)
  }

  /** The values of fields between two times, a call of `found` for what each step has of a field, oldest first. */
  async baseline(
    rule: Rule,
    { fields, windowMs, stepMs }: Baseline,
    to: number,
    found: (field: readonly string[], values: readonly (readonly unknown[])[], time: number) => void,
  ): Promise<void> {
    for (const field of fields) {
      found(field, [], to)
      for await (const span of this.#steps(rule, to - windowMs, to, stepMs)) {
        let aggs: Readonly<Record<string, unknown>> | undefined
        for (const part of [...field].reverse())
          aggs = { values: { terms: { field: part, size: termsMax }, ...(aggs ? { aggs } : {}) } }
        const range = { gte: timeBound(rule.timestamp, span.from), lt: timeBound(rule.timestamp, span.to) }
        const answer = await this.#search({ ...rule, filter: span.filter }, range, { aggs, track_total_hits: false })
        found(field, valuesOf(answer.aggregations, []), span.to)
      }
    }
  }

  async *#steps(rule: Rule, since: number, to: number, stepMs: number): AsyncGenerator<Span> {
    for (let from = since; from < to; from += stepMs)
      yield* spansOf(this.#client, rule, from, Math.min(to, from + stepMs))
  }

  /** ElastAlert's `top_count_keys`: the most frequent values of the rule's fields in the time before a match. */
  async topCounts(rule: Rule, { key, time }: RuleMatch): Promise<Record<string, unknown>> {
    const wanted = rule.topCounts
    if (!wanted) return {}
    const aggs = Object.fromEntries(
      wanted.keys.map((field) => {
        const name = wanted.raw || field.endsWith('.keyword') ? field : `${field}.keyword`
        return [`top_events_${field}`, { terms: { field: name, size: wanted.number } }]
      }),
    )
    const [single, ...others] = rule.queryKey
    const ofKey = single !== undefined && others.length === 0 ? [{ term: { [single]: key } }] : []
    const from = time - wanted.spanMs
    const range = { gte: timeBound(rule.timestamp, from), lte: timeBound(rule.timestamp, time) }
    const counts = new Map<string, Map<string, number>>()
    for await (const { filter } of spansOf(this.#client, rule, from, time + 1)) {
      const answer = await this.#search({ ...rule, filter }, range, { aggs, track_total_hits: false }, ofKey)
      for (const [name, found] of Object.entries(answer.aggregations ?? {})) {
        const ofName = counts.get(name) ?? new Map<string, number>()
        counts.set(name, ofName)
        for (const bucket of (found as { readonly buckets: readonly Bucket[] }).buckets)
          ofName.set(textOf(bucket), (ofName.get(textOf(bucket)) ?? 0) + bucket.doc_count)
      }
    }
    const most = (found: ReadonlyMap<string, number>) =>
      [...found].sort(([, one], [, other]) => other - one).slice(0, wanted.number)
    return Object.fromEntries([...counts].map(([name, found]) => [name, Object.fromEntries(most(found))]))
  }

  /** The events at the given places, as far as they are still there. */
  async related(marks: readonly EventMark[]): Promise<unknown[]> {
    if (marks.length === 0) return []
    const docs = marks.slice(-relatedMax).map(({ index, id }) => ({ _index: index, _id: id }))
    const { body } = await this.#client.request<{ docs: { found?: boolean; _source?: unknown }[] }>({
      method: 'POST',
      path: '/_mget',
      body: { docs },
    })
    return body.docs.flatMap(({ found, _source: source }) => (found ? [source] : []))
  }

  async #search(
    rule: Rule,
    range: Readonly<Record<string, unknown>>,
    body: Readonly<Record<string, unknown>>,
    more: readonly unknown[] = [],
  ): Promise<Answer> {
    const filter = [{ range: { [rule.timestamp.field]: range } }, ...more, ...rule.filter]
    return searchCounting<Answer>(this.#client, {
      method: 'POST',
      path: `/${encodeURIComponent(rule.index)}/_search`,
      // A rule that does not see all events must fail: it would be quiet about those it misses.
      query: { ignore_unavailable: true, allow_no_indices: true, allow_partial_search_results: false },
      body: { size: 0, query: { bool: { filter } }, ...body },
    })
  }
}

function answersOf(
  aggregations: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  time: number,
): WindowAnswer[] {
  const terms = aggregations['bucket_aggs'] as { readonly buckets: readonly Bucket[] } | undefined
  if (terms) return terms.buckets.flatMap((bucket) => answersOf(bucket, [...keys, textOf(bucket)], time))
  const intervals = aggregations['interval_aggs'] as { readonly buckets: readonly Bucket[] } | undefined
  if (intervals) return intervals.buckets.flatMap((bucket) => answersOf(bucket, keys, Number(bucket.key)))
  return [{ key: keys.join(', '), time, aggregations }]
}

function valuesOf(node: Readonly<Record<string, unknown>> | undefined, above: readonly unknown[]): unknown[][] {
  const found = node?.['values'] as { readonly buckets: readonly Bucket[] } | undefined
  if (!found) return above.length === 0 ? [] : [[...above]]
  return found.buckets.flatMap((bucket) => valuesOf(bucket, [...above, textOf(bucket)]))
}

function textOf({ key, key_as_string: text }: Bucket): string {
  return text ?? String(key)
}
