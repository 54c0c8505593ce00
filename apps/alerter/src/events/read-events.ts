import type { SearchClient } from '@logstack/search-client'
import type { KeyCount, RuleEvent } from '../rule-types/define-rule-type.ts'
import { eventTime } from '../rule-values/event-time.ts'
import { keyOf, missingValue } from '../rule-values/field-values.ts'
import { EventCounter } from './count-events.ts'
import { type EventRange, type EventSource, queryOf, refreshForOthers } from './event-query.ts'
import { findFirstPart, placesClause } from './find-events.ts'
import type { QuietQueries } from './quiet-queries.ts'
import type { ShardCheckpoint } from './shards.ts'

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
  readonly #now: () => number
  readonly #quiet: QuietQueries | undefined
  readonly #counter: EventCounter
  readonly #answers = new Map<string, Promise<unknown>>()
  /** How many sequence numbers a query was last asked for at once, for each query and shard. */
  readonly #widths = new Map<string, number>()

  /** `quiet` outlives the round; without it every query is asked by itself. */
  constructor(client: SearchClient, now: () => number, quiet?: QuietQueries) {
    this.#client = client
    this.#now = now
    this.#quiet = quiet
    this.#counter = new EventCounter(client)
  }

  /** The next page of matching events; `upTo` is the checkpoint when there are no more. */
  async readEvents(source: EventSource, range: EventRange, pageEventsMax: number): Promise<EventPage> {
    if (source.query) return this.#readFound(source, source.query, range, pageEventsMax)
    if (await this.#quiet?.isQuiet(source, range)) return { events: [], upTo: range.shard.checkpoint }
    try {
      const page = await this.#readPage(source, range, pageEventsMax)
      this.#quiet?.wasRead(source, range)
      return page
    } catch (thrown) {
      this.#quiet?.wasRefused(source, range)
      throw thrown
    }
  }

  async #readPage(source: EventSource, range: EventRange, pageEventsMax: number): Promise<EventPage> {
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
    const now = this.#now()
    return {
      events: hits.flatMap((hit) => toEvent(source, hit, now)),
      upTo: last && hits.length >= pageEventsMax ? last._seq_no : range.shard.checkpoint,
    }
  }

  /** The same for a query in another language: it tells which events of a part of the range are meant, and these are read as all others are. */
  async #readFound(
    source: EventSource,
    query: NonNullable<EventSource['query']>,
    range: EventRange,
    pageEventsMax: number,
  ): Promise<EventPage> {
    const { shard, after } = range
    // Shards count their events each for itself: a range of one number may hold an event of every shard.
    const eventsMax = Math.max(pageEventsMax, shard.shards)
    const widthMin = Math.floor(eventsMax / shard.shards)
    const asked = JSON.stringify([shard.index, shard.shard, query, source.filter])
    const width = 2 * (this.#widths.get(asked) ?? shard.checkpoint)
    const partOf = (from: number, to: number): EventRange => ({
      ...range,
      shard: { ...shard, checkpoint: to },
      after: from,
    })
    const ofIndex = { ...source, filter: [{ term: { _index: shard.index } }, ...source.filter] }
    await refreshForOthers(this.#client, encodeURIComponent(shard.index))
    const { upTo, places } = await findFirstPart(
      this.#client,
      { query, timestamp: source.timestamp },
      { after, upTo: shard.checkpoint, width, widthMin, eventsMax },
      (from, to) => queryOf(ofIndex, partOf(from, to)),
    )
    this.#widths.set(asked, upTo - after)
    if (places.length === 0) return { events: [], upTo }
    const found = { ...source, filter: [placesClause(places)] }
    const { events } = await this.#readPage(found, partOf(after, upTo), eventsMax)
    return { events, upTo }
  }

  /** How many matching events there are, for each key when `byKey`; all of the ranges together, at once. */
  countEvents(source: EventSource, ranges: readonly EventRange[], byKey: boolean): Promise<readonly KeyCount[]> {
    return this.#counter.count(source, ranges, byKey)
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
    await refreshForOthers(this.#client, index)
    const query = { preference: shard.shards > 1 ? `_shards:${shard.shard}` : undefined, ignore_unavailable: true }
    const answer = await this.#client.request<T>({ method: 'POST', path: `/${index}/_search`, query, body })
    return answer.body
  }
}

// An event whose time the rule cannot read is none of the rule's, as a range on that field would say. One of a host whose clock is ahead happened by now:
// windows go by the newest time they have seen, and all others would be too old for them until it comes.
function toEvent({ timestamp, queryKey }: EventSource, hit: Hit, now: number): RuleEvent[] {
  const said = eventTime(timestamp, hit._source)
  if (said === undefined) return []
  const time = Math.min(said, now)
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
