import { z } from 'zod'
import type { SigmaCorrelation } from './sigma-rule.ts'

/** A place of an event and its time (epoch ms). */
export interface CorrelatedEvent {
  readonly index: string
  readonly id: string
  readonly time: number
}

/** An event in a window, as it is saved. */
export const entrySchema = z.object({
  index: z.string(),
  id: z.string(),
  time: z.number(),
  /** Which of the correlation's rules it is. */
  rule: z.number(),
  value: z.string(),
})

type Entry = z.output<typeof entrySchema>

/** From so many events on a window that counts values keeps one event a value. */
const thinAbove = 256

/** The events of one correlation and one key that are near enough to each other in time, oldest first, and how many values they have. */
export class CorrelationWindow {
  readonly #correlation: Pick<SigmaCorrelation, 'type' | 'timespanMs'>
  readonly #values = new Map<string, number>()
  #entries: Entry[] = []

  constructor(correlation: Pick<SigmaCorrelation, 'type' | 'timespanMs'>, entries: readonly Entry[]) {
    this.#correlation = correlation
    this.#entries = [...entries]
    for (const { value } of entries) this.#count(value, 1)
  }

  get entries(): readonly Entry[] {
    return this.#entries
  }

  get length(): number {
    return this.#entries.length
  }

  /** How many different values there are; only counted where the correlation is one of values. */
  get valueCount(): number {
    return this.#values.size
  }

  /** Enters an event where its time belongs, and lets go of what is too old; false when it is there already. */
  add(entry: Entry): boolean {
    const place = this.#placeOf(entry.time)
    if (this.#holds(entry, place)) return false
    if (place === this.#entries.length) this.#entries.push(entry)
    else this.#entries.splice(place, 0, entry)
    this.#count(entry.value, 1)
    const newest = this.#entries.at(-1)?.time ?? entry.time
    const { timespanMs } = this.#correlation
    let old = 0
    while (newest - (this.#entries[old]?.time ?? newest) > timespanMs) old += 1
    if (old > 0) for (const { value } of this.#entries.splice(0, old)) this.#count(value, -1)
    this.#thin()
    return true
  }

  /** The events, each once although it matched several rules. */
  distinct(): CorrelatedEvent[] {
    const seen = new Set<string>()
    return this.#entries.flatMap(({ index, id, time }) => {
      const place = `${index}\n${id}`
      if (seen.has(place)) return []
      seen.add(place)
      return [{ index, id, time }]
    })
  }

  /** Behind all that are not later; most events are the newest. */
  #placeOf(time: number): number {
    let place = this.#entries.length
    while (place > 0 && (this.#entries[place - 1]?.time ?? time) > time) place -= 1
    return place
  }

  /** An event has one time: whatever is the same stands right before its place. */
  #holds(entry: Entry, place: number): boolean {
    for (let at = place - 1; at >= 0; at -= 1) {
      const other = this.#entries[at]
      if (other?.time !== entry.time) return false
      if (other.id === entry.id && other.index === entry.index && other.rule === entry.rule) return true
    }
    return false
  }

  #count(value: string, by: 1 | -1): void {
    if (this.#correlation.type !== 'value_count') return
    const count = (this.#values.get(value) ?? 0) + by
    if (count > 0) this.#values.set(value, count)
    else this.#values.delete(value)
  }

  /**
   * Of a long window that counts values only the newest event of each: an older one with the same value leaves the window first and never counts. A
   * flood of one value would otherwise hold all its events.
   */
  #thin(): void {
    if (this.#correlation.type !== 'value_count' || this.#entries.length <= thinAbove) return
    if (this.#values.size === this.#entries.length) return
    const newest = new Map(this.#entries.map((entry) => [entry.value, entry]))
    this.#entries = this.#entries.filter((entry) => newest.get(entry.value) === entry)
    for (const value of newest.keys()) this.#values.set(value, 1)
  }
}
