import { AppError, alerterErrors } from '@logstack/errors'
import type { SearchClient } from '@logstack/search-client'
import type { Rule } from '../rule-files/rule.ts'
import type { EventMark } from '../rule-types/define-rule-type.ts'
import { timeBound } from '../rule-values/event-time.ts'

/** Where an event is. */
export type Place = Pick<EventMark, 'index' | 'id'>

/** A part of a span of whole numbers `(after, upTo]`, and the events in it that a query finds. */
export interface FoundPart {
  readonly upTo: number
  readonly places: readonly Place[]
}

type Query = NonNullable<Rule['query']>
type Asked = Pick<Rule, 'timestamp'> & { readonly query: Query }

interface EqlAnswer {
  readonly is_partial?: boolean
  readonly shard_failures?: readonly unknown[]
  readonly hits: { readonly events?: readonly { readonly _index: string; readonly _id: string }[] }
}

interface EsqlAnswer {
  readonly is_partial?: boolean
  readonly columns: readonly { readonly name: string }[]
  readonly values: readonly (readonly unknown[])[]
}

/** Up to `eventsMax` of the events that a query in EQL or ES|QL finds among those of a filter of the query DSL. Throws `answer_partial` for what leaves events out. */
async function findEvents(
  client: SearchClient,
  { query, timestamp }: Asked,
  filter: unknown,
  eventsMax: number,
): Promise<readonly Place[]> {
  const { language, text, index } = query
  if (language === 'eql') {
    const { body } = await client.request<EqlAnswer>({
      method: 'POST',
      path: `/${encodeURIComponent(index)}/_eql/search`,
      query: { ignore_unavailable: true },
      body: { query: text, filter, size: eventsMax, timestamp_field: timestamp.field },
    })
    refusePartial(body.is_partial === true || (body.shard_failures?.length ?? 0) > 0)
    return (body.hits.events ?? []).map(({ _index, _id }) => ({ index: _index, id: _id }))
  }
  const { body } = await client.request<EsqlAnswer>({
    method: 'POST',
    path: '/_query',
    // Without a limit of its own a query answers a thousand rows.
    body: { query: `${text}\n| LIMIT ${eventsMax}`, filter },
  })
  refusePartial(body.is_partial === true)
  const [indexAt, idAt] = ['_index', '_id'].map((name) => body.columns.findIndex((column) => column.name === name))
  return body.values.map((row) => ({ index: String(row[indexAt ?? -1]), id: String(row[idAt ?? -1]) }))
}

// A rule that does not see all events must fail: it would be quiet about those it misses.
function refusePartial(isPartial: boolean): void {
  if (isPartial)
    throw new AppError(alerterErrors.answer_partial, 'search answered the query without some of the events')
}

/** How a span is divided until what is found in a part is not cut off. */
export interface Division {
  readonly after: number
  readonly upTo: number
  /** How wide the first part is that is tried. */
  readonly width: number
  /** Parts that are no wider are not divided. */
  readonly widthMin: number
  readonly eventsMax: number
}

/**
 * The first part of a span, and what a query finds in it. These answers come in no order that could be gone on from, so a full one is asked for again of half the
 * part: one that is not full is whole.
 */
export async function findFirstPart(
  client: SearchClient,
  asked: Asked,
  { after, upTo, width, widthMin, eventsMax }: Division,
  filterOf: (after: number, upTo: number) => unknown,
): Promise<FoundPart> {
  for (let tried = Math.max(widthMin, width); ; tried = Math.max(widthMin, Math.floor(tried / 2))) {
    const end = Math.min(upTo, after + tried)
    const places = await findEvents(client, asked, filterOf(after, end), eventsMax)
    if (places.length < eventsMax || end - after <= widthMin) return { upTo: end, places }
  }
}

/** The clause of the query DSL that finds the events at these places. */
export function placesClause(places: readonly Place[]): Readonly<Record<string, unknown>> {
  const ids = new Map<string, string[]>()
  for (const { index, id } of places) ids.set(index, [...(ids.get(index) ?? []), id])
  const should = [...ids].map(([index, values]) => ({
    bool: { filter: [{ term: { _index: index } }, { ids: { values } }] },
  }))
  return { bool: { should, minimum_should_match: 1 } }
}

/** A time span `[from, to)`, epoch ms, and the clauses that a rule's events in it meet. */
export interface Span {
  readonly from: number
  readonly to: number
  readonly filter: Rule['filter']
}

const spanEventsMax = 2000

/**
 * The events of a rule between two times (epoch ms), as clauses of the query DSL: one span for a rule without a query in another language; else spans one after the
 * other, those without events left out. More of one millisecond than 2,000 are cut.
 */
export async function* spansOf(
  client: SearchClient,
  { filter, query, timestamp }: Pick<Rule, 'filter' | 'query' | 'timestamp'>,
  from: number,
  to: number,
): AsyncGenerator<Span> {
  if (!query) {
    yield { from, to, filter }
    return
  }
  const filterOf = (since: number, until: number) => {
    const range = { [timestamp.field]: { gte: timeBound(timestamp, since), lt: timeBound(timestamp, until) } }
    return { bool: { filter: [{ range }, ...filter] } }
  }
  let width = to - from
  for (let since = from; since < to; ) {
    const division = { after: since, upTo: to, width, widthMin: 1, eventsMax: spanEventsMax }
    const { upTo, places } = await findFirstPart(client, { query, timestamp }, division, filterOf)
    if (places.length > 0) yield { from: since, to: upTo, filter: [placesClause(places)] }
    width = 2 * (upTo - since)
    since = upTo
  }
}
