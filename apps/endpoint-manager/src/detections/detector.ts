import {
  type CorrelatedEvent,
  Correlations,
  type Finding,
  leavesAt,
  type SigmaCorrelation,
  type SigmaHead,
  type SigmaRule,
} from '@logstack/rules'
import { z } from 'zod'
import { readTime } from '../ecs/event-times.ts'
import type { DetectionSet } from './detection-set.ts'

/** An event that was stored. */
export interface StoredEvent {
  readonly index: string
  readonly id: string
  readonly document: Readonly<Record<string, unknown>>
}

/** Says what an event makes match, once it is stored; `read` gives its document where one is needed. */
export type Judge = (read: () => StoredEvent['document']) => DetectionMatch[]

/** What is left of an event after it was looked at. */
interface Looked {
  readonly found: readonly SigmaRule[]
  /** By field, those that windows group and count by. */
  readonly values: ReadonlyMap<string, string>
  readonly read: () => StoredEvent['document']
}

/** A rule that matched and may speak. */
export interface DetectionMatch {
  readonly rule: SigmaHead & { readonly kind: 'rule' | 'correlation' | 'filter' }
  /** Of a correlation: the fields it groups by, and their values. */
  readonly keyFields: readonly string[]
  readonly key: readonly string[]
  readonly events: readonly CorrelatedEvent[]
  readonly count: number
  /** The event that made it. */
  readonly document: StoredEvent['document']
  /** Milliseconds since 1970 of that event. */
  readonly time: number
}

/** What detections keep in mind. */
export const detectorBounds = { windowEventsMax: 200_000, silencesMax: 50_000 } as const
/** Events in the windows of a correlation, or silences of all rules: what had to be forgotten before its time. */
export type Forgotten = 'windows' | 'silences'

/** What a detector gets of the part. */
export interface DetectorLimits {
  /** The events that the windows of one correlation hold at most. */
  readonly windowEventsMax: number
  /** The keys of all rules that are kept silent at most. */
  readonly silencesMax: number
  silenceMs(): number
  now(): number
  /** Told of each key that went for want of room though it still counted, and of the rule that needed the room. */
  forgot(what: Forgotten, title: string): void
}

const hostField = 'host.name'
/** A clock may be set back by so much, in milliseconds, before the windows of its times are given up. */
const setBackMsMax = 5 * 60_000
const savedSchema = z.object({
  correlations: z.unknown(),
  silent: z.array(z.tuple([z.string(), z.number()])),
  /** When it was saved, epoch milliseconds; earlier versions did not say. */
  at: z.number().optional(),
})

/**
 * Shows stored events to the detection rules, one after the other, and keeps the windows of those that count. A rule that spoke is silent for the
 * same key for `silenceMs`. Time is the events', but no later than now: windows go by the newest time, and one event of a host whose clock is ahead would
 * keep all others out until then. For the same reason they begin anew where the clock was set back.
 */
export class Detector {
  readonly #set: DetectionSet
  #correlations: Correlations
  /** The latest time that was seen. */
  #latest: number
  readonly #limits: DetectorLimits
  /** How often windows changed that were given up since. */
  #changesBefore = 0
  /** Rule and key → until when it is silent, oldest first. */
  readonly #silent: Map<string, number>

  /** Goes on from what `save` gave. */
  constructor(set: DetectionSet, limits: DetectorLimits, saved?: unknown) {
    const known = savedSchema.safeParse(saved).data
    this.#latest = known?.at ?? limits.now()
    this.#set = set
    this.#limits = limits
    this.#correlations = this.#begin(known?.correlations)
    this.#silent = new Map(known?.silent)
  }

  #begin(saved?: unknown): Correlations {
    const { windowEventsMax, forgot } = this.#limits
    const limits = { entriesMax: windowEventsMax, forgot: ({ title }: SigmaCorrelation) => forgot('windows', title) }
    return new Correlations(this.#set.correlations, limits, saved)
  }

  /** What an event makes match; each event is shown once. */
  inspect(event: StoredEvent): DetectionMatch[] {
    return this.look(event)?.(() => event.document) ?? []
  }

  /** Looks at an event that is about to be stored. Where rules match, it gives back what says, once it is stored, what that makes match. */
  look({ index, id, document }: StoredEvent): Judge | undefined {
    const found = this.#set.matcher.match(document, index)
    if (found.length === 0) return undefined
    const now = this.#limits.now()
    this.#noticeSetBack(now)
    const event = { index, id, time: Math.min(readTime(String(document['@timestamp'])), now) }
    // Few of many matches raise an alert: of the others only what windows ask for is kept while search stores the document.
    const values = new Map<string, string>()
    this.#keep(hostField, document, values)
    for (const rule of found) for (const field of this.#correlations.fieldsOf(rule)) this.#keep(field, document, values)
    return (read) => this.#judge(event, { found, values, read })
  }

  #noticeSetBack(now: number): void {
    if (now < this.#latest - setBackMsMax) {
      this.#changesBefore += this.#correlations.changes + 1
      this.#correlations = this.#begin()
      this.#latest = now
    }
    this.#latest = Math.max(this.#latest, now)
  }

  #keep(field: string, document: StoredEvent['document'], values: Map<string, string>): void {
    if (values.has(field)) return
    const [leaf] = leavesAt(document, field)
    if (leaf !== undefined && typeof leaf !== 'object') values.set(field, String(leaf))
  }

  #judge(event: CorrelatedEvent, { found, values, read }: Looked): DetectionMatch[] {
    const keptOf = (field: string): string | undefined => values.get(field)
    const findings: Finding[] = found.map(({ id, name }) => ({ id, name, valueOf: keptOf }))
    const matches: Omit<DetectionMatch, 'document'>[] = []
    const { time } = event
    for (const rule of found) {
      if (!this.#set.alerting.has(rule.id)) continue
      const key = [values.get(hostField) ?? '']
      matches.push({ rule, keyFields: [hostField], key, events: [event], count: 1, time })
    }
    for (const { correlation, key, events, count } of this.#correlations.add(event, findings)) {
      if (!this.#set.alerting.has(correlation.id)) continue
      matches.push({ rule: correlation, keyFields: correlation.groupBy, key, events, count, time })
    }
    return matches.filter((match) => this.#hears(match)).map((match) => ({ ...match, document: read() }))
  }

  /** How often a window changed until now. */
  get changes(): number {
    return this.#changesBefore + this.#correlations.changes
  }

  /** What the next process goes on from, as JSON. */
  save(): unknown {
    return { correlations: this.#correlations.save(), silent: [...this.#silent], at: this.#latest }
  }

  #hears({ rule, key, time }: Pick<DetectionMatch, 'rule' | 'key' | 'time'>): boolean {
    const { silenceMs, silencesMax, forgot } = this.#limits
    const name = JSON.stringify([rule.id, ...key])
    const until = this.#silent.get(name)
    if (until !== undefined && time < until && time > until - 2 * silenceMs()) return false
    this.#silent.delete(name)
    this.#silent.set(name, time + silenceMs())
    for (const [oldest, end] of this.#silent) {
      if (this.#silent.size <= silencesMax) break
      this.#silent.delete(oldest)
      // One that is over would keep nothing back any more.
      if (end > time) forgot('silences', rule.title)
    }
    return true
  }
}
