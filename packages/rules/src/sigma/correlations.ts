import { z } from 'zod'
import type { SigmaCorrelation } from './sigma-rule.ts'

/** A place of an event and its time (epoch ms). */
export interface CorrelatedEvent {
  readonly index: string
  readonly id: string
  readonly time: number
}

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

interface Entry extends CorrelatedEvent {
  /** Which of the correlation's rules it is. */
  readonly rule: number
  readonly value: string
}

const entrySchema = z.object({
  index: z.string(),
  id: z.string(),
  time: z.number(),
  rule: z.number(),
  value: z.string(),
})
const savedSchema = z.record(z.string(), z.array(z.tuple([z.string(), z.array(entrySchema)])))
const missing = '<MISSING VALUE>'
/** From so many events on a window that counts values keeps one event a value. */
const thinAbove = 256

/** Correlation rules at work on what other rules find: windows by the events' own time, for each value of `group-by`. */
export class Correlations {
  readonly #correlations: readonly SigmaCorrelation[]
  readonly #windows = new Map<string, Map<string, Entry[]>>()
  /** How many events each correlation's windows hold: counting them anew with every event would take longer than all else. */
  readonly #held = new Map<string, number>()
  readonly #entriesMax: number
  #changes = 0

  /** Takes what `save` gave; a correlation's windows hold `entriesMax` events at most, the key unseen for longest goes first. */
  constructor(correlations: readonly SigmaCorrelation[], entriesMax: number, saved?: unknown) {
    this.#correlations = correlations
    this.#entriesMax = entriesMax
    const known = savedSchema.safeParse(saved).data ?? {}
    for (const { id } of correlations) {
      const keys = new Map(known[id] ?? [])
      this.#windows.set(id, keys)
      this.#held.set(
        id,
        [...keys.values()].reduce((sum, entries) => sum + entries.length, 0),
      )
    }
  }

  /** What holds after an event, given the rules it made match; correlations of correlations included. */
  add(event: CorrelatedEvent, findings: readonly Finding[]): CorrelationMatch[] {
    const matches: CorrelationMatch[] = []
    const open = [...findings]
    const done = new Set<string>()
    for (let finding = open.shift(); finding; finding = open.shift()) {
      for (const correlation of this.#correlations) {
        const step = `${correlation.id} ${finding.id}`
        if (done.has(step)) continue
        const rule = correlation.rules.findIndex((name) => name === finding?.id || name === finding?.name)
        if (rule < 0) continue
        done.add(step)
        const match = this.#enter(correlation, event, finding, rule)
        if (!match) continue
        matches.push(match)
        open.push({ id: correlation.id, name: correlation.name, valueOf: finding.valueOf })
      }
    }
    return matches
  }

  /** How often a window changed until now. */
  get changes(): number {
    return this.#changes
  }

  save(): unknown {
    return Object.fromEntries(
      [...this.#windows].map(([id, keys]) => [id, [...keys].filter(([, entries]) => entries.length > 0)]),
    )
  }

  #enter(
    correlation: SigmaCorrelation,
    event: CorrelatedEvent,
    finding: Finding,
    rule: number,
  ): CorrelationMatch | undefined {
    const named = correlation.rules[rule] ?? ''
    const key = correlation.groupBy.map((field) => {
      const alias = correlation.aliases.get(field)
      return finding.valueOf(alias?.get(named) ?? alias?.get(finding.id) ?? field) ?? missing
    })
    const values = correlation.fields.map((field) => finding.valueOf(field))
    if (correlation.fields.length > 0 && values.some((value) => value === undefined)) return undefined
    const keys = this.#windows.get(correlation.id) ?? new Map<string, Entry[]>()
    const text = JSON.stringify(key)
    const before = keys.get(text) ?? []
    if (before.some((entry) => entry.id === event.id && entry.index === event.index && entry.rule === rule))
      return undefined
    const { index, id, time } = event
    this.#changes++
    const held = (this.#held.get(correlation.id) ?? 0) - before.length
    const entry = { index, id, time, rule, value: values.join('\u0000') }
    const window = thin(correlation, slide(before, entry, correlation.timespanMs))
    const count = countOf(correlation, window)
    keys.delete(text)
    this.#held.set(correlation.id, held)
    if (count !== undefined) return { correlation, key, count, events: distinct(window) }
    keys.set(text, window)
    this.#held.set(correlation.id, this.#shed(keys, held + window.length))
    return undefined
  }

  /** Lets go of the keys unseen for longest while too many events are held; answers how many are left. */
  #shed(keys: Map<string, Entry[]>, all: number): number {
    let held = all
    for (const [oldest, entries] of keys) {
      if (held <= this.#entriesMax || keys.size === 1) return held
      held -= entries.length
      keys.delete(oldest)
    }
    return held
  }
}

/** Enters an event where its time belongs, and lets go of what is too old; the window itself is changed. */
function slide(window: Entry[], entry: Entry, timespanMs: number): Entry[] {
  const place = window.findLastIndex((earlier) => earlier.time <= entry.time) + 1
  window.splice(place, 0, entry)
  const newest = window.at(-1)?.time ?? entry.time
  const first = window.findIndex(({ time }) => newest - time <= timespanMs)
  if (first > 0) window.splice(0, first)
  return window
}

/**
 * Of a long window that counts values only the newest event of each: an older one with the same value leaves the window first and never counts. A
 * flood of one value would otherwise cost each event the time of all before it.
 */
function thin({ type }: SigmaCorrelation, window: Entry[]): Entry[] {
  if (type !== 'value_count' || window.length <= thinAbove) return window
  const newest = new Map(window.map((entry) => [entry.value, entry]))
  return window.filter((entry) => newest.get(entry.value) === entry)
}

function distinct(window: readonly Entry[]): CorrelatedEvent[] {
  const seen = new Set<string>()
  return window.flatMap(({ index, id, time }) => {
    const place = JSON.stringify([index, id])
    if (seen.has(place)) return []
    seen.add(place)
    return [{ index, id, time }]
  })
}

// The number that fulfils the condition, or undefined when it does not.
function countOf(correlation: SigmaCorrelation, window: readonly Entry[]): number | undefined {
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

function measure({ type, rules }: SigmaCorrelation, window: readonly Entry[]): number {
  switch (type) {
    case 'event_count':
      return distinct(window).length
    case 'value_count':
      return new Set(window.map(({ value }) => value)).size
    case 'value_sum':
      return window.reduce((sum, { value }) => sum + numberOf(value), 0)
    case 'value_avg':
      return window.reduce((sum, { value }) => sum + numberOf(value), 0) / window.length
    case 'temporal':
      return new Set(window.map(({ rule }) => rule)).size
    case 'temporal_ordered': {
      // The longest run of the rules in their order, one event after the other.
      let next = 0
      for (const { rule } of window) if (rule === next) next++
      return Math.min(next, rules.length)
    }
  }
}

function numberOf(value: string): number {
  const number = Number(value)
  return Number.isNaN(number) ? 0 : number
}
