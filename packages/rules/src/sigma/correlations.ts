import { z } from 'zod'
import { type CorrelatedEvent, CorrelationWindow, entrySchema } from './correlation-window.ts'
import type { SigmaCorrelation } from './sigma-rule.ts'

/** A rule or correlation that an event made match, and how to read the event's fields by the rule's names. */
export interface Finding {
  readonly id: string
  readonly name: string | undefined
  valueOf(field: string): string | undefined
}

/** A correlation that holds: for which values of `group-by`, and the events that led to it, oldest first. */
export interface CorrelationMatch {
  readonly correlation: SigmaCorrelation
  readonly key: readonly string[]
  readonly events: readonly CorrelatedEvent[]
  readonly count: number
}

const savedSchema = z.record(z.string(), z.array(z.tuple([z.string(), z.array(entrySchema)])))
const missing = '<MISSING VALUE>'

/** A correlation that waits for a finding, and which of its rules that is. */
interface Place {
  readonly correlation: SigmaCorrelation
  readonly rule: number
}

/** How much windows hold, and who is told that it was too little. */
export interface CorrelationLimits {
  /** The events that a correlation's windows hold at most; the key unseen for longest goes first. */
  readonly entriesMax: number
  /** Told of every key of a correlation that went for want of room, and still counted. */
  forgot(correlation: SigmaCorrelation): void
}

/** Correlation rules at work on what other rules find: windows by the events' own time, for each value of `group-by`. */
export class Correlations {
  readonly #correlations: readonly SigmaCorrelation[]
  readonly #windows = new Map<string, Map<string, CorrelationWindow>>()
  readonly #places = new Map<string, readonly Place[]>()
  readonly #fields = new Map<string, readonly string[]>()
  /** How many events each correlation's windows hold: counting them anew with every event would take longer than all else. */
  readonly #held = new Map<string, number>()
  readonly #limits: CorrelationLimits
  #changes = 0

  /** Takes what `save` gave. */
  constructor(correlations: readonly SigmaCorrelation[], limits: CorrelationLimits, saved?: unknown) {
    this.#correlations = correlations
    this.#limits = limits
    const known = savedSchema.safeParse(saved).data ?? {}
    for (const correlation of correlations) {
      const { id } = correlation
      const keys = new Map(
        (known[id] ?? []).map(([key, entries]) => [key, new CorrelationWindow(correlation, entries)]),
      )
      this.#windows.set(id, keys)
      this.#held.set(
        id,
        [...keys.values()].reduce((sum, { length }) => sum + length, 0),
      )
    }
  }

  /** What holds after an event, given the rules it made match; correlations of correlations included. */
  add(event: CorrelatedEvent, findings: readonly Finding[]): CorrelationMatch[] {
    const matches: CorrelationMatch[] = []
    const open = [...findings]
    // A place stands for a correlation and the rule that fed it.
    const done: Place[] = []
    for (let next = 0; next < open.length; next += 1) {
      const finding = open[next] as Finding
      for (const place of this.#placesOf(finding)) {
        if (done.includes(place)) continue
        done.push(place)
        const match = this.#enter(place, event, finding)
        if (!match) continue
        const { id, name } = match.correlation
        matches.push(match)
        open.push({ id, name, valueOf: finding.valueOf })
      }
    }
    return matches
  }

  /** The fields that `add` asks findings of a rule for, those for correlations of correlations included. */
  fieldsOf(rule: Pick<Finding, 'id' | 'name'>): readonly string[] {
    const known = this.#fields.get(rule.id)
    if (known) return known
    const fields = new Set<string>()
    const open = [rule]
    const done = new Set<string>()
    for (let finding = open.shift(); finding; finding = open.shift()) {
      for (const place of this.#placesOf(finding)) {
        const { correlation } = place
        for (const field of [...keyFields(place, finding.id), ...correlation.fields]) fields.add(field)
        if (!done.has(correlation.id)) open.push(correlation)
        done.add(correlation.id)
      }
    }
    const all = [...fields]
    this.#fields.set(rule.id, all)
    return all
  }

  /** How often a window changed until now. */
  get changes(): number {
    return this.#changes
  }

  save(): unknown {
    const saved = (keys: ReadonlyMap<string, CorrelationWindow>) =>
      [...keys].flatMap(([key, window]) => (window.length > 0 ? [[key, window.entries]] : []))
    return Object.fromEntries([...this.#windows].map(([id, keys]) => [id, saved(keys)]))
  }

  /** Which correlations wait for a finding; asked with every event, and the same for all findings of a rule. */
  #placesOf({ id, name }: Pick<Finding, 'id' | 'name'>): readonly Place[] {
    const key = name === undefined ? id : `${id}\n${name}`
    const known = this.#places.get(key)
    if (known) return known
    const places = this.#correlations.flatMap((correlation): Place[] => {
      const rule = correlation.rules.findIndex((wanted) => wanted === id || wanted === name)
      return rule < 0 ? [] : [{ correlation, rule }]
    })
    this.#places.set(key, places)
    return places
  }

  #enter(place: Place, event: CorrelatedEvent, finding: Finding): CorrelationMatch | undefined {
    const { correlation, rule } = place
    const key = keyFields(place, finding.id).map((field) => finding.valueOf(field) ?? missing)
    const values = correlation.fields.map((field) => finding.valueOf(field))
    if (correlation.fields.length > 0 && values.some((value) => value === undefined)) return undefined
    const keys = this.#windows.get(correlation.id) ?? new Map<string, CorrelationWindow>()
    const text = JSON.stringify(key)
    const window = keys.get(text) ?? new CorrelationWindow(correlation, [])
    const { index, id, time } = event
    const before = window.length
    if (!window.add({ index, id, time, rule, value: values.join('\u0000') })) return undefined
    this.#changes++
    const held = (this.#held.get(correlation.id) ?? 0) - before
    const count = countOf(correlation, window)
    keys.delete(text)
    this.#held.set(correlation.id, held)
    if (count !== undefined) return { correlation, key, count, events: window.distinct() }
    keys.set(text, window)
    this.#held.set(correlation.id, this.#shed(correlation, keys, { held: held + window.length, time }))
    return undefined
  }

  /** Lets go of the keys unseen for longest while too many events are held; answers how many are left. */
  #shed(
    correlation: SigmaCorrelation,
    keys: Map<string, CorrelationWindow>,
    { held: all, time }: { readonly held: number; readonly time: number },
  ): number {
    const { entriesMax, forgot } = this.#limits
    if (all <= entriesMax) return all
    let held = all
    for (const [oldest, window] of keys) {
      if (held <= entriesMax || keys.size === 1) return held
      held -= window.length
      keys.delete(oldest)
      // What is older than the timespan would count for nothing any more.
      if (time - (window.entries.at(-1)?.time ?? time) <= correlation.timespanMs) forgot(correlation)
    }
    return held
  }
}

/** The fields of a rule that hold the values a correlation groups by. */
function keyFields({ correlation, rule }: Place, id: string): string[] {
  const named = correlation.rules[rule] ?? ''
  return correlation.groupBy.map((field) => {
    const alias = correlation.aliases.get(field)
    return alias?.get(named) ?? alias?.get(id) ?? field
  })
}

// The number that fulfils the condition, or undefined when it does not.
function countOf(correlation: SigmaCorrelation, window: CorrelationWindow): number | undefined {
  if (isTooShort(correlation, window.length)) return undefined
  const count = measure(correlation, window)
  const { gt, gte, lt, lte, eq, neq } = correlation.condition
  const holds =
    (gt === undefined || count > gt) &&
    (gte === undefined || count >= gte) &&
    (lt === undefined || count < lt) &&
    (lte === undefined || count <= lte) &&
    (eq === undefined || count === eq) &&
    (neq === undefined || count !== neq)
  const isTemporal = correlation.type === 'temporal' || correlation.type === 'temporal_ordered'
  const isBare = Object.values(correlation.condition).every((bound) => bound === undefined)
  if (isTemporal && isBare) return count === correlation.rules.length ? count : undefined
  return holds ? count : undefined
}

/** Whether so few events cannot be as many, or have as many values, as is asked for: they need not be counted. */
function isTooShort({ type, condition }: SigmaCorrelation, length: number): boolean {
  const { gt, gte } = condition
  const counts = type === 'event_count' || type === 'value_count'
  return counts && ((gte !== undefined && length < gte) || (gt !== undefined && length <= gt))
}

function measure({ type, rules }: SigmaCorrelation, window: CorrelationWindow): number {
  const { entries } = window
  switch (type) {
    case 'event_count':
      return window.distinct().length
    case 'value_count':
      return window.valueCount
    case 'value_sum':
      return entries.reduce((sum, { value }) => sum + numberOf(value), 0)
    case 'value_avg':
      return entries.reduce((sum, { value }) => sum + numberOf(value), 0) / entries.length
    case 'temporal':
      return new Set(entries.map(({ rule }) => rule)).size
    case 'temporal_ordered': {
      // The longest run of the rules in their order, one event after the other.
      let next = 0
      for (const { rule } of entries) if (rule === next) next++
      return Math.min(next, rules.length)
    }
  }
}

function numberOf(value: string): number {
  const number = Number(value)
  return Number.isNaN(number) ? 0 : number
}
