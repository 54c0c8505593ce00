import {
  type CorrelatedEvent,
  Correlations,
  type Finding,
  leavesAt,
  type SigmaHead,
  type SigmaRule,
} from '@logstack/rules'
import { z } from 'zod'
import type { DetectionSet } from './detection-set.ts'

/** An event that was stored. */
export interface StoredEvent {
  readonly index: string
  readonly id: string
  readonly document: Readonly<Record<string, unknown>>
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

const windowEventsMax = 200_000
const silencesMax = 50_000
const savedSchema = z.object({ correlations: z.unknown(), silent: z.array(z.tuple([z.string(), z.number()])) })

/**
 * Shows stored events to the detection rules, one after the other, and keeps the windows of those that count. A rule that spoke is silent for the
 * same key for `silenceMs`. Time is the events': there is no clock.
 */
export class Detector {
  readonly #set: DetectionSet
  readonly #correlations: Correlations
  readonly #silenceMs: () => number
  /** Rule and key → until when it is silent, oldest first. */
  readonly #silent: Map<string, number>

  /** Goes on from what `save` gave. */
  constructor(set: DetectionSet, silenceMs: () => number, saved?: unknown) {
    const known = savedSchema.safeParse(saved).data
    this.#set = set
    this.#silenceMs = silenceMs
    this.#correlations = new Correlations(set.correlations, windowEventsMax, known?.correlations)
    this.#silent = new Map(known?.silent)
  }

  /** What an event makes match; each event is shown once. */
  inspect(event: StoredEvent): DetectionMatch[] {
    return this.look(event)?.() ?? []
  }

  /** Looks at an event that is about to be stored. Where rules match, it gives back what says, once it is stored, what that makes match. */
  look(event: StoredEvent): (() => DetectionMatch[]) | undefined {
    const found = this.#set.matcher.match(event.document, event.index)
    return found.length === 0 ? undefined : () => this.#judge(event, found)
  }

  #judge({ index, id, document }: StoredEvent, found: readonly SigmaRule[]): DetectionMatch[] {
    const time = Date.parse(String(document['@timestamp']))
    const event = { index, id, time }
    const textAt = (field: string): string | undefined => {
      const [leaf] = leavesAt(document, field)
      return leaf === undefined || typeof leaf === 'object' ? undefined : String(leaf)
    }
    const findings: Finding[] = found.map((rule) => ({ id: rule.id, name: rule.name, valueOf: textAt }))
    const matches: DetectionMatch[] = found.map((rule) => ({
      rule,
      keyFields: ['host.name'],
      key: [textAt('host.name') ?? ''],
      events: [event],
      count: 1,
      document,
      time,
    }))
    for (const { correlation, key, events, count } of this.#correlations.add(event, findings)) {
      matches.push({ rule: correlation, keyFields: correlation.groupBy, key, events, count, document, time })
    }
    return matches.filter((match) => this.#set.alerting.has(match.rule.id) && this.#hears(match))
  }

  /** How often a window changed until now. */
  get changes(): number {
    return this.#correlations.changes
  }

  /** What the next process goes on from, as JSON. */
  save(): unknown {
    return { correlations: this.#correlations.save(), silent: [...this.#silent] }
  }

  #hears({ rule, key, time }: DetectionMatch): boolean {
    const name = JSON.stringify([rule.id, ...key])
    const until = this.#silent.get(name)
    if (until !== undefined && time < until && time > until - 2 * this.#silenceMs()) return false
    this.#silent.delete(name)
    this.#silent.set(name, time + this.#silenceMs())
    for (const oldest of this.#silent.keys()) {
      if (this.#silent.size <= silencesMax) break
      this.#silent.delete(oldest)
    }
    return true
  }
}
