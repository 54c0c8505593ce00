import { AppError, searchErrors } from '@logstack/errors'
import { readJsonText } from '../api/json-text.ts'
import { parseExactJson } from '../documents/source-json.ts'
import { type ShownEvent, shownEvents, totalOf } from './answer.ts'
import { type Clause, every, exists, some } from './clauses.ts'
import type { EqlPlan } from './compile-query.ts'
import type { EventRef, FoundEvent, JoinKey } from './event-ref.ts'
import type { EqlRun } from './run-query.ts'

/** Documents that are read at once to be shown. */
const documentsAtOnce = 1000
/** What an answer may show: more than anybody reads, and than a process should hold. */
const shownBytesMax = 100 * 1024 ** 2

interface Hit {
  readonly _index: string
  readonly _id: string
  readonly sort?: readonly unknown[]
  readonly matched_queries?: readonly string[]
  readonly fields?: Readonly<Record<string, readonly unknown[]>>
}

/** Reads events in their order, page by page, and their documents. */
export class EventReader {
  readonly #run: EqlRun
  readonly #names = new Map<string, string>()

  constructor(run: EqlRun) {
    this.#run = run
  }

  /** The first or last events of a clause with their documents, in the order of time, and how many there are. */
  async matching(clause: Clause, position: 'head' | 'tail', count: number) {
    const body = {
      ...this.#shared(),
      query: this.#filtered([clause]),
      sort: this.#sort(position === 'head' ? 'asc' : 'desc'),
      size: count,
      ...(this.#run.request.fields ? { fields: this.#run.request.fields } : {}),
    }
    const text = await this.#run.ask(body)
    const answer = readJsonText(text)
    const events = shownEvents(answer)
    return { total: totalOf(answer), events: position === 'head' ? events : events.reverse() }
  }

  /** Hands on every event that a filter finds, in order, until `take` says that it is enough. */
  async each(
    { filters, kind }: Exclude<EqlPlan, { kind: 'event' }>,
    take: (found: FoundEvent) => boolean,
  ): Promise<void> {
    const { timestampField, fetchSize } = this.#run.request
    const inOrder = kind === 'sequence'
    const paths = [...new Set(filters.flatMap(({ keys }) => keys.flatMap((path) => path ?? [])))]
    const clauses = filters.map(({ clause }, at) => ({ bool: { filter: [clause], _name: String(at) } }))
    const body = {
      ...this.#shared(),
      _source: false,
      query: this.#filtered([...(inOrder ? [exists(timestampField)] : []), some(clauses)]),
      docvalue_fields: [...paths, ...(inOrder ? [{ field: timestampField, format: 'epoch_millis' }] : [])],
      sort: inOrder ? this.#sort('asc') : ['_shard_doc'],
      size: fetchSize,
      track_total_hits: false,
    }
    let after: readonly unknown[] | undefined
    for (;;) {
      const text = await this.#run.ask(after === undefined ? body : { ...body, search_after: after })
      const { hits } = (parseExactJson(text) as { readonly hits: { readonly hits: readonly Hit[] } }).hits
      for (const hit of hits) if (!take(this.#found(hit, filters))) return
      after = hits.at(-1)?.sort
      if (hits.length < fetchSize || after === undefined) return
      this.#run.signal.throwIfAborted()
    }
  }

  /** The documents of events, as answers show them. Throws `circuit_breaking_exception` where they are too large together. */
  async documents(events: readonly EventRef[]): Promise<ReadonlyMap<string, ShownEvent>> {
    const wanted = [...new Map(events.map((event) => [placeOf(event.index, event.id), event])).values()]
    const shown = new Map<string, ShownEvent>()
    let bytes = 0
    for (let from = 0; from < wanted.length; from += documentsAtOnce) {
      const some = wanted.slice(from, from + documentsAtOnce)
      const text = await this.#run.ask({
        ...this.#shared(),
        query: placesClause(some),
        size: some.length,
        track_total_hits: false,
        ...(this.#run.request.fields ? { fields: this.#run.request.fields } : {}),
      })
      bytes += text.length
      if (bytes > shownBytesMax) throw tooLarge()
      for (const event of shownEvents(readJsonText(text))) shown.set(placeOf(event.index, event.id), event)
    }
    return shown
  }

  #shared() {
    const { runtimeMappings } = this.#run.request
    return runtimeMappings === undefined ? {} : { runtime_mappings: runtimeMappings }
  }

  #filtered(clauses: readonly Clause[]): Clause {
    const { filter } = this.#run.request
    return every([...(filter === undefined || filter === null ? [] : [filter as Clause]), ...clauses])
  }

  #sort(order: 'asc' | 'desc') {
    const { timestampField, tiebreakerField } = this.#run.request
    const missing = order === 'asc' ? '_last' : '_first'
    const tiebreaker = tiebreakerField === undefined ? [] : [{ [tiebreakerField]: { order, missing } }]
    return [{ [timestampField]: { order, unmapped_type: 'date' } }, ...tiebreaker]
  }

  #found(hit: Hit, filters: Exclude<EqlPlan, { kind: 'event' }>['filters']): FoundEvent {
    const { timestampField } = this.#run.request
    const [time] = hit.fields?.[timestampField] ?? []
    const event = { index: this.#oneText(hit._index), id: hit._id, timeMs: Number(time ?? 0) }
    const found = new Map<number, JoinKey>()
    for (const name of hit.matched_queries ?? []) {
      const keys = filters[Number(name)]?.keys
      if (keys)
        found.set(
          Number(name),
          joinKey(keys.map((path) => (path === undefined ? null : (hit.fields?.[path]?.[0] ?? null)))),
        )
    }
    return { event, filters: found }
  }

  /** One text for a name that thousands of events have. */
  #oneText(name: string): string {
    const known = this.#names.get(name)
    if (known !== undefined) return known
    this.#names.set(name, name)
    return name
  }
}

function joinKey(values: readonly unknown[]): JoinKey {
  // Integers beyond 2^53 are bigints, which JSON does not know.
  const text = JSON.stringify(values, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
  return { text, values }
}

/** Where an event is, as one text. */
export function placeOf(index: string, id: string): string {
  return `${index}\0${id}`
}

function placesClause(events: readonly EventRef[]): Clause {
  const byIndex = new Map<string, string[]>()
  for (const { index, id } of events) byIndex.set(index, [...(byIndex.get(index) ?? []), id])
  return some(
    [...byIndex].map(([index, values]) => every([{ term: { _index: { value: index } } }, { ids: { values } }])),
  )
}

function tooLarge(): AppError {
  return new AppError(
    searchErrors.circuit_breaking_exception,
    `[eql_sequence] Data too large, the events of the answer would be larger than the limit of [${shownBytesMax}/100mb]`,
    { detail: { bytes_limit: shownBytesMax, durability: 'TRANSIENT' } },
  )
}
