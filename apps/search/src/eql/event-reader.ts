import { AppError, searchErrors } from '@logstack/errors'
import { parseExactJson } from '../json/source-json.ts'
import { readAnswer, type SearchAnswer, type ShownEvent } from './answer.ts'
import { type Clause, every, exists, some } from './clauses.ts'
import type { EqlPlan, PlannedKey } from './compile-query.ts'
import type { EqlRun } from './eql-run.ts'
import type { EventRef, FoundEvent, JoinKey } from './event-ref.ts'
import type { KnownField } from './fields.ts'

/** Documents that are read at once to be shown. */
const documentsAtOnce = 1000
/** What an answer may show: more than anybody reads, and than a process should hold. */
const shownBytesMax = 100 * 1024 ** 2

interface Hit {
  readonly _index: string
  readonly _id: string
  readonly sort?: readonly unknown[]
  readonly matched_queries?: readonly string[]
}

interface GroupAnswer {
  readonly _shards: { readonly failures?: readonly object[] }
  readonly hits: { readonly hits: readonly Hit[] }
}

type GroupPlan = Exclude<EqlPlan, { kind: 'event' }>

/** Reads events in their order, page by page, and their documents. */
export class EventReader {
  readonly #run: EqlRun
  readonly #names = new Map<string, string>()
  readonly #failures = new Set<string>()

  constructor(run: EqlRun) {
    this.#run = run
  }

  /** Why indices were left out, each as JSON; empty when all could be read. */
  get failures(): readonly string[] {
    return [...this.#failures]
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
    const { events, total } = this.#noted(await this.#run.ask(body))
    return { total, events: position === 'head' ? events : events.reverse() }
  }

  /** Hands on every event that a filter finds, in order, until `take` says that it is enough. */
  async each({ filters, order }: GroupPlan, take: (found: FoundEvent) => boolean): Promise<void> {
    const { fetchSize } = this.#run.request
    const { timestamp } = order
    const keys = new Map(
      filters.flatMap((filter) => filter.keys.flatMap(({ field }) => (field ? [[field.path, field]] : []))),
    )
    const clauses = filters.map(({ clause }, at) => ({ bool: { filter: [clause], _name: String(at) } }))
    const ordered = timestamp ? [exists(timestamp.path)] : []
    // What a document without a value is sorted by looks like a value: whether it has one is asked beside.
    const presence = [...keys.keys()].map((path) => ({ bool: { filter: [exists(path)], _name: presenceOf(path) } }))
    const inOrder = [...this.#sort('asc'), { _shard_doc: 'asc' }]
    const body = {
      ...this.#shared(),
      _source: false,
      query: { bool: { filter: [this.#filtered([...ordered, some(clauses)])], should: presence } },
      // What an event is sorted by comes from its columns: keys are asked for so, behind what decides already, and no source is read.
      sort: [...inOrder, ...[...keys.values()].map((field) => sortedBy(field, 'asc'))],
      size: fetchSize,
      track_total_hits: false,
    }
    const places = new Map([...keys.keys()].map((path, at) => [path, inOrder.length + at]))
    let after: readonly unknown[] | undefined
    for (;;) {
      const text = await this.#run.ask(after === undefined ? body : { ...body, search_after: after })
      const answer = parseExactJson(text) as GroupAnswer
      for (const failure of answer._shards.failures ?? []) this.#failures.add(JSON.stringify(failure))
      const { hits } = answer.hits
      for (const hit of hits) if (!take(this.#found(hit, filters, places, timestamp))) return
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
      for (const event of this.#noted(text).events) shown.set(placeOf(event.index, event.id), event)
    }
    return shown
  }

  #noted(text: string): SearchAnswer {
    const answer = readAnswer(text)
    for (const failure of answer.failures) this.#failures.add(failure)
    return answer
  }

  #shared() {
    const { runtimeMappings } = this.#run.request
    return runtimeMappings === undefined ? {} : { runtime_mappings: runtimeMappings }
  }

  #filtered(clauses: readonly Clause[]): Clause {
    const { filter } = this.#run.request
    return every([...(filter === undefined || filter === null ? [] : [filter as Clause]), ...clauses])
  }

  #sort(direction: 'asc' | 'desc') {
    const { timestamp, tiebreaker } = this.#run.plan.order
    return [timestamp, tiebreaker].flatMap((field) => (field ? [sortedBy(field, direction)] : []))
  }

  #found(
    { _index: index, _id: id, sort = [], matched_queries: names = [] }: Hit,
    filters: GroupPlan['filters'],
    places: ReadonlyMap<string, number>,
    timestamp: KnownField | undefined,
  ): FoundEvent {
    const timeMs = timestamp ? millisecondsOf(sort[0], timestamp) : 0
    const found = new Map<number, JoinKey>()
    const matched = new Set(names)
    const keyOf = ({ field }: PlannedKey): unknown =>
      field && matched.has(presenceOf(field.path)) ? keyValue(sort[places.get(field.path) ?? -1], field) : null
    for (const name of names) {
      const keys = filters[Number(name)]?.keys
      if (!keys) continue
      const values = keys.map(keyOf)
      if (keys.every(({ optional }, at) => optional || values[at] !== null)) found.set(Number(name), joinKey(values))
    }
    return { event: { index: this.#oneText(index), id, timeMs }, filters: found }
  }

  /** One text for a name that thousands of events have. */
  #oneText(name: string): string {
    const known = this.#names.get(name)
    if (known !== undefined) return known
    this.#names.set(name, name)
    return name
  }
}

/** A criterion by a field: events without it come last in the order of time. */
function sortedBy({ path, type, valueClass }: KnownField, order: 'asc' | 'desc') {
  const unmapped_type = valueClass === 'string' ? 'keyword' : type
  return { [path]: { order, unmapped_type, missing: order === 'asc' ? '_last' : '_first' } }
}

/** The name of the clause that finds documents with a value of a key. */
const presenceOf = (path: string): string => `has ${path}`

/** The milliseconds of a date as it is sorted by. */
function millisecondsOf(sorted: unknown, { type }: KnownField): number {
  return type === 'date_nanos' ? Number(BigInt(sorted as number | bigint) / 1_000_000n) : Number(sorted)
}

/** The value of a key as answers show it, of what it is sorted by. */
function keyValue(sorted: unknown, field: KnownField): unknown {
  if (sorted === null || sorted === undefined) return null
  if (field.valueClass === 'boolean') return sorted === 1 || sorted === true
  if (field.valueClass === 'date') return new Date(millisecondsOf(sorted, field)).toISOString()
  return sorted
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
