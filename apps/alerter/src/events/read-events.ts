import { leavesAt, readValue } from '@logstack/rules'
import type { SearchClient } from '@logstack/search-client'
import type { Rule } from '../rule-files/rule.ts'
import type { RuleEvent } from '../rule-types/define-rule-type.ts'
import type { ShardCheckpoint } from './shards.ts'

/** The events of one shard with sequence numbers above `after` up to the shard's checkpoint, not older than `notBefore`; `now` stands for a time that cannot be read (epoch ms). */
export interface EventRange {
  readonly shard: ShardCheckpoint
  readonly after: number
  readonly notBefore: number
  readonly now: number
}

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

/** What stands for an absent field in a key, as in ElastAlert. */
const missingValue = '<MISSING VALUE>'

/**
 * Reads the next page of a rule's matching events; `upTo` is the checkpoint when there are no more. In Elasticsearch and OpenSearch what is
 * below the checkpoint may not be searchable yet, so they are told to refresh first; logstack shows an event before its checkpoint moves.
 */
export async function readEvents(
  client: SearchClient,
  rule: Rule,
  { shard, after, notBefore, now }: EventRange,
  pageEventsMax: number,
): Promise<EventPage> {
  const index = encodeURIComponent(shard.index)
  if ((await client.capabilities()).product !== 'logstack') {
    await client.request({ method: 'POST', path: `/${index}/_refresh`, accept: [404] })
  }
  const { body } = await client.request<{ hits: { hits: readonly Hit[] } }>({
    method: 'POST',
    path: `/${index}/_search`,
    query: { preference: shard.shards > 1 ? `_shards:${shard.shard}` : undefined, ignore_unavailable: true },
    body: {
      size: pageEventsMax,
      query: {
        bool: {
          filter: [
            { range: { _seq_no: { gt: after, lte: shard.checkpoint } } },
            { range: { [rule.timestampField]: { gte: new Date(notBefore).toISOString() } } },
            ...rule.filter,
          ],
        },
      },
      sort: [{ _seq_no: 'asc' }],
      seq_no_primary_term: true,
      track_total_hits: false,
    },
  })
  const { hits } = body.hits
  const last = hits.at(-1)
  return {
    events: hits.map((hit) => toEvent(rule, hit, now)),
    upTo: last && hits.length >= pageEventsMax ? last._seq_no : shard.checkpoint,
  }
}

/** The first value of a field in an event as text, or undefined. */
export function textAt(source: unknown, field: string): string | undefined {
  const leaf = leavesAt(source, field)[0]
  return leaf === undefined || typeof leaf === 'object' ? undefined : String(leaf)
}

function toEvent(rule: Rule, hit: Hit, now: number): RuleEvent {
  const time = readValue(leavesAt(hit._source, rule.timestampField)[0], 'date')
  if (typeof time !== 'number')
    throw new Error(`BUG: event ${hit._index}/${hit._id} passed a time range without a time`)
  return {
    index: hit._index,
    id: hit._id,
    seqNo: hit._seq_no,
    time: typeof time === 'number' ? time : now,
    key: rule.queryKey.map((field) => textAt(hit._source, field) ?? missingValue).join(', '),
    source: hit._source,
  }
}
