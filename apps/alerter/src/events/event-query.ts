import type { SearchClient } from '@logstack/search-client'
import type { Rule } from '../rule-files/rule.ts'
import { timeBound } from '../rule-values/event-time.ts'
import type { ShardCheckpoint } from './shards.ts'

/** The events of one shard with sequence numbers above `after` up to the shard's checkpoint, not older than `notBefore` and, where it is given, older than `before` (epoch ms). */
export interface EventRange {
  readonly shard: ShardCheckpoint
  readonly after: number
  readonly notBefore: number
  readonly before?: number
}

/** What is read of a rule: which events, how their time is written, and what makes their key. */
export type EventSource = Pick<Rule, 'filter' | 'query' | 'timestamp' | 'queryKey' | 'termsSize'>

/** Makes written events of indices searchable, named as in an address, where that is not so of itself. */
export async function refreshForOthers(client: SearchClient, names: string): Promise<void> {
  if ((await client.capabilities()).product === 'logstack') return
  await client.request({
    method: 'POST',
    path: `/${names}/_refresh`,
    query: { ignore_unavailable: true },
    accept: [404],
  })
}

/** The matching events of a range. */
export function queryOf(
  { filter, timestamp }: Pick<EventSource, 'filter' | 'timestamp'>,
  { shard, after, notBefore, before }: EventRange,
): { readonly bool: { readonly filter: readonly unknown[] } } {
  const until = before === undefined ? {} : { lt: timeBound(timestamp, before) }
  return {
    bool: {
      filter: [
        { range: { _seq_no: { gt: after, lte: shard.checkpoint } } },
        { range: { [timestamp.field]: { gte: timeBound(timestamp, notBefore), ...until } } },
        ...filter,
      ],
    },
  }
}
