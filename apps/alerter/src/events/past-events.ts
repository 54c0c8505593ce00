import type { SearchClient } from '@logstack/search-client'
import type { Rule } from '../rule-files/rule.ts'
import type { RuleEvent } from '../rule-types/define-rule-type.ts'
import { eventTime, timeBound } from '../rule-values/event-time.ts'
import { keyOf } from '../rule-values/field-values.ts'
import { type Span, spansOf } from './find-events.ts'

const pageEventsMax = 2000

interface Hit {
  readonly _index: string
  readonly _id: string
  readonly _seq_no?: number
  readonly _source: unknown
}

/** Events between two times (epoch ms) that pass a filter, oldest first, each once; more of one millisecond than a page are cut. */
export async function* pastEvents(
  client: SearchClient,
  rule: Pick<Rule, 'index' | 'filter' | 'query' | 'timestamp' | 'queryKey'>,
  from: number,
  to: number,
): AsyncGenerator<RuleEvent> {
  for await (const span of spansOf(client, rule, from, to)) yield* eventsOf(client, rule, span)
}

async function* eventsOf(
  client: SearchClient,
  { index, timestamp, queryKey }: Pick<Rule, 'index' | 'timestamp' | 'queryKey'>,
  { from, to, filter }: Span,
): AsyncGenerator<RuleEvent> {
  let since = from
  let atSince = new Set<string>()
  for (;;) {
    const range = { [timestamp.field]: { gte: timeBound(timestamp, since), lt: timeBound(timestamp, to) } }
    const { body } = await client.request<{ hits: { hits: readonly Hit[] } }>({
      method: 'POST',
      path: `/${encodeURIComponent(index)}/_search`,
      // A rule that does not see all events must fail: it would be quiet about those it misses.
      query: { ignore_unavailable: true, allow_no_indices: true, allow_partial_search_results: false },
      body: {
        size: pageEventsMax,
        query: { bool: { filter: [{ range }, ...filter] } },
        sort: [{ [timestamp.field]: { order: 'asc', unmapped_type: 'date' } }],
        seq_no_primary_term: true,
        track_total_hits: false,
      },
    })
    const { hits } = body.hits
    let last = since
    const places = new Set<string>()
    for (const hit of hits) {
      const time = eventTime(timestamp, hit._source)
      const place = JSON.stringify([hit._index, hit._id])
      if (time === undefined || atSince.has(place)) continue
      if (time > last) places.clear()
      last = time
      places.add(place)
      const key = queryKey.length === 0 ? '' : keyOf(hit._source, queryKey)
      yield { index: hit._index, id: hit._id, seqNo: hit._seq_no ?? 0, time, key, source: hit._source }
    }
    if (hits.length < pageEventsMax) return
    atSince = last > since ? places : new Set()
    since = last > since ? last : since + 1
  }
}
