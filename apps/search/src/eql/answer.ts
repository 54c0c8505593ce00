import { type JsonText, printCompact } from '../api/json-text.ts'
import type { EventGroup } from './event-ref.ts'

/** An event as answers show it: its JSON as the engine wrote it. */
export interface ShownEvent {
  readonly index: string
  readonly id: string
  readonly json: string
}

/** What stands in an event's place that must not be there. */
const missingEvent = '{"_index":"","_id":"","_source":{},"missing":true}'
const noHits = '{"value":0,"relation":"eq"}'

/** A member of an object as it was written. Throws for what is no object. */
function memberOf(node: JsonText, name: string): JsonText | undefined {
  if (node.kind !== 'object') throw new Error('BUG: an answer of a search is no object')
  return node.entries.find(([key]) => key === name)?.[1]
}

/** The hits of an answer of `_search` as events; sources keep every digit they were written with. */
export function shownEvents(answer: JsonText): ShownEvent[] {
  const outer = memberOf(answer, 'hits')
  const hits = outer && memberOf(outer, 'hits')
  if (hits?.kind !== 'array') return []
  return hits.items.map((hit) => {
    const [index, id] = ['_index', '_id'].map((name) => textOf(memberOf(hit, name)))
    const members = ['_index', '_id', '_source', 'fields'].flatMap((name) => {
      const member = memberOf(hit, name)
      return member ? [`"${name}":${printCompact(member)}`] : []
    })
    return { index: index ?? '', id: id ?? '', json: `{${members.join(',')}}` }
  })
}

/** The total of an answer of `_search`, as it was written. */
export function totalOf(answer: JsonText): string {
  const hits = memberOf(answer, 'hits')
  const total = hits && memberOf(hits, 'total')
  return total ? printCompact(total) : noHits
}

/** Why an answer of `_search` goes without some indices, each as JSON. */
export function failuresOf(answer: JsonText): string[] {
  const shards = memberOf(answer, '_shards')
  const failures = shards && memberOf(shards, 'failures')
  return failures?.kind === 'array' ? failures.items.map(printCompact) : []
}

function textOf(node: JsonText | undefined): string {
  return node?.kind === 'scalar' ? (JSON.parse(node.text) as string) : ''
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
