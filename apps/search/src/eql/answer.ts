import type { EventGroup } from './event-ref.ts'
import { itemsOf, membersOf, type Slice } from './json-slices.ts'

/** An event as answers show it: its JSON as the engine wrote it. */
export interface ShownEvent {
  readonly index: string
  readonly id: string
  readonly json: string
}

/** What stands in an event's place that must not be there. */
const missingEvent = '{"_index":"","_id":"","_source":{},"missing":true}'
const noHits = '{"value":0,"relation":"eq"}'

/** An answer of `_search`, of which only what is shown is looked at: sources keep every digit they were written with. */
export interface SearchAnswer {
  readonly events: ShownEvent[]
  /** How many there are, as JSON. */
  readonly total: string
  /** Why it goes without some indices, each as JSON. */
  readonly failures: readonly string[]
}

/** Takes an answer of `_search` apart. */
export function readAnswer(text: string): SearchAnswer {
  const top = membersOf(text, { from: 0, to: text.length })
  const cut = (slice: Slice): string => text.slice(slice.from, slice.to)
  const hits = membersOf(text, top.get('hits') as Slice)
  const total = hits.get('total')
  const failures = membersOf(text, top.get('_shards') as Slice).get('failures')
  return {
    events: itemsOf(text, hits.get('hits') as Slice).map((hit) => shownEvent(membersOf(text, hit), cut)),
    total: total ? cut(total) : noHits,
    failures: failures ? itemsOf(text, failures).map(cut) : [],
  }
}

function shownEvent(hit: ReadonlyMap<string, Slice>, cut: (slice: Slice) => string): ShownEvent {
  const members = ['_index', '_id', '_source', 'fields'].flatMap((name) => {
    const member = hit.get(name)
    return member ? [`"${name}":${cut(member)}`] : []
  })
  const [index, id] = ['_index', '_id'].map((name) => JSON.parse(cut(hit.get(name) as Slice)) as string)
  return { index: index ?? '', id: id ?? '', json: `{${members.join(',')}}` }
}

/** The `hits` of an answer with single events. */
export function eventsAnswer(total: string, events: readonly ShownEvent[]): string {
  return `{"total":${total},"events":[${events.map(({ json }) => json).join(',')}]}`
}

/** The `hits` of an answer with sequences or samples. */
export function groupsAnswer(
  groups: readonly EventGroup[],
  documents: (group: EventGroup) => readonly (ShownEvent | undefined)[],
): string {
  const shown = groups.map((group) => {
    const events = documents(group).map((event) => event?.json ?? missingEvent)
    const keys = group.key.values.length === 0 ? '' : `"join_keys":[${group.key.values.map(valueText).join(',')}],`
    return `{${keys}"events":[${events.join(',')}]}`
  })
  return `{"total":{"value":${groups.length},"relation":"eq"},"sequences":[${shown.join(',')}]}`
}

const valueText = (value: unknown): string => (typeof value === 'bigint' ? String(value) : JSON.stringify(value))

/** The `hits` of an answer without any. */
export function emptyAnswer(kind: 'events' | 'sequences'): string {
  return `{"total":${noHits},"${kind}":[]}`
}
