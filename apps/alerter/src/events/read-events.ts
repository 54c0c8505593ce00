import type { SearchClient } from '@logstack/search-client'
import { eventTime, timeBound } from '../rule-files/event-time.ts'
import type { Rule } from '../rule-files/rule.ts'
import { keyOf, missingValue } from '../rule-files/values.ts'
import type { KeyCount, RuleEvent } from '../rule-types/define-rule-type.ts'
import type { ShardCheckpoint } from './shards.ts'

/** The events of one shard with sequence numbers above `after` up to the shard's checkpoint, not older than `notBefore` (epoch ms). */
export interface EventRange {
  readonly shard: ShardCheckpoint
  readonly after: number
  readonly notBefore: number
}

/** What is read of a rule: which events, how their time is written, and what makes their key. */
export type EventSource = Pick<Rule, 'filter' | 'timestamp' | 'queryKey' | 'termsSize'>

/** Events in the order of their sequence numbers, and the number up to which the shard has now been read. */
export interface EventPage {
  readonly events: readonly RuleEvent[]
  readonly upTo: number
}

interface Hit {
  readonly _index: string
  readonly _id: string
  readonly _seq_no: number
  readonly _source: unknown
}

/**
 * Reads new events. Answers of one instance are shared between rules that ask for the same, so it serves one round only. In Elasticsearch
 * and OpenSearch what is below the checkpoint may not be searchable yet, so they are told to refresh first; logstack shows an event before
 * its checkpoint moves.
 */
export class EventReader {
  readonly #client: SearchClient
  readonly #answers = new Map<string, Promise<unknown>>()

  constructor(client: SearchClient) {
    this.#client = client
  }

  /** The next page of matching events; `upTo` is the checkpoint when there are no more. */
  async readEvents(source: EventSource, range: EventRange, pageEventsMax: number): Promise<EventPage> {
    const body = {
      size: pageEventsMax,
      query: queryOf(source, range),
      sort: [{ _seq_no: 'asc' }],
      seq_no_primary_term: true,
      track_total_hits: false,
    }
    const answer = await this.#search<{ hits: { hits: readonly Hit[] } }>(range.shard, body)
    const { hits } = answer.hits
    const last = hits.at(-1)
    return {
      events: hits.flatMap((hit) => toEvent(source, hit)),
      upTo: last && hits.length >= pageEventsMax ? last._seq_no : range.shard.checkpoint,
    }
  }

  /** How many matching events there are, for each key when `byKey`; all of the range at once. */
  async countEvents(source: EventSource, range: EventRange, byKey: boolean): Promise<readonly KeyCount[]> {
    const field = source.queryKey[0]
    const counts = { terms: { field, size: source.termsSize, min_doc_count: 1 } }
    const query = queryOf(source, range)
    const body = {
      size: 0,
      // The buckets hold all that is counted by key.
      track_total_hits: !byKey,
      query,
      ...(byKey && field !== undefined ? { aggs: { counts } } : {}),
    }
    const answer = await this.#search<{
      hits: { total: { value: number } }
      aggregations?: { counts: { buckets: readonly { key: unknown; key_as_string?: string; doc_count: number }[] } }
    }>(range.shard, body)
    if (!byKey) return [{ key: '', count: answer.hits.total.value }]
    const buckets = answer.aggregations?.counts.buckets ?? []
    return buckets.map(({ key, key_as_string: text, doc_count: count }) => ({ key: text ?? String(key), count }))
  }

  async #search<T>(shard: ShardCheckpoint, body: unknown): Promise<T> {
    const index = encodeURIComponent(shard.index)
    const asked = JSON.stringify([shard, body])
    const known = this.#answers.get(asked) as Promise<T> | undefined
    if (known !== undefined) return known
    const asking = this.#ask<T>(index, shard, body)
    this.#answers.set(asked, asking)
    // Only rules that run at the same moment share an answer: kept longer, pages of all rules would pile up.
    void asking.catch(() => undefined).finally(() => this.#answers.delete(asked))
    return asking
  }

  async #ask<T>(index: string, shard: ShardCheckpoint, body: unknown): Promise<T> {
    if ((await this.#client.capabilities()).product !== 'logstack') {
      await this.#client.request({ method: 'POST', path: `/${index}/_refresh`, accept: [404] })
    }
    const query = { preference: shard.shards > 1 ? `_shards:${shard.shard}` : undefined, ignore_unavailable: true }
    const answer = await this.#client.request<T>({ method: 'POST', path: `/${index}/_search`, query, body })
    return answer.body
  }
}

function queryOf({ filter, timestamp }: EventSource, { shard, after, notBefore }: EventRange): unknown {
  return {
    bool: {
      filter: [
        { range: { _seq_no: { gt: after, lte: shard.checkpoint } } },
        { range: { [timestamp.field]: { gte: timeBound(timestamp, notBefore) } } },
        ...filter,
      ],
    },
  }
}

// An event whose time the rule cannot read is none of the rule's, as a range on that field would say.
function toEvent({ timestamp, queryKey }: EventSource, hit: Hit): RuleEvent[] {
  const time = eventTime(timestamp, hit._source)
  if (time === undefined) return []
  const key = queryKey.length === 0 ? '' : keyOf(hit._source, queryKey)
  return [
    {
      index: hit._index,
      id: hit._id,
      seqNo: hit._seq_no,
      time,
      key: key === '' && queryKey.length > 0 ? missingValue : key,
      source: hit._source,
    },
  ]
}
