import type { PlannedStage } from './compile-query.ts'
import {
  bytesOfEvent,
  bytesOfKey,
  type EventGroup,
  type EventRef,
  type FoundEvent,
  type JoinKey,
  pendingBytesMax,
  tooManyPending,
} from './event-ref.ts'

/** A sequence as far as it has come: its newest event and what came before. */
interface Pending {
  readonly event: EventRef
  readonly before: Pending | undefined
  readonly firstMs: number
  /** When an event that must be missing before it was seen last. */
  readonly precededMs: number
  readonly bytes: number
}

interface KeyState {
  readonly key: JoinKey
  readonly bytes: number
  /** At each place the sequence that has come so far: at most one. */
  readonly pending: (Pending | undefined)[]
  /** Sequences that are whole unless an event comes that must be missing after them. */
  waiting: { readonly sequence: Pending; readonly order: number }[]
  precededMs: number
}

/** How a sequence is made up. */
export interface SequenceShape {
  readonly stages: readonly PlannedStage[]
  readonly until: number | undefined
  readonly maxSpanMs: number | undefined
}

/** Which of the sequences are wanted. */
export interface GroupLimit {
  readonly position: 'head' | 'tail'
  readonly count: number
}

const never = Number.NEGATIVE_INFINITY

/**
 * Finds sequences among events that are given in their order: for each key and place of the sequence the newest pending one is kept. Throws
 * `circuit_breaking_exception` where too many wait.
 */
export class SequenceMachine {
  readonly #shape: SequenceShape
  readonly #limit: GroupLimit
  readonly #bytesMax: number
  /** Filters of the events that make the sequence. */
  readonly #present: readonly number[]
  /** Filters of events that must be missing before each of those, and after the last. */
  readonly #absent: readonly (readonly number[])[]
  readonly #keys = new Map<string, KeyState>()
  #found: { readonly sequence: Pending; readonly key: JoinKey; readonly order: number }[] = []
  #bytes = 0
  #order = 0

  constructor(shape: SequenceShape, limit: GroupLimit, bytesMax = pendingBytesMax) {
    this.#shape = shape
    this.#limit = limit
    this.#bytesMax = bytesMax
    const present: number[] = []
    const absent: number[][] = [[]]
    for (const { filter, missing } of shape.stages) {
      if (missing) absent.at(-1)?.push(filter)
      else {
        present.push(filter)
        absent.push([])
      }
    }
    this.#present = present
    this.#absent = absent
  }

  /** Takes the next event. */
  accept({ event, filters }: FoundEvent): void {
    for (const place of this.#places(filters)) this.#advance(event, place, filters)
    for (const [gap, absent] of this.#absent.entries())
      for (const filter of absent) {
        const key = filters.get(filter)
        if (key) this.#refute(event, gap, key)
      }
    const { until } = this.#shape
    const ending = until === undefined ? undefined : filters.get(until)
    const ended = ending && this.#keys.get(ending.text)
    if (ended) for (const place of ended.pending.keys()) this.#drop(ended, place, event)
    if (this.#bytes > this.#bytesMax) this.#sweep(event.timeMs)
    if (this.#bytes > this.#bytesMax) throw tooManyPending(this.#bytesMax)
  }

  /** Whether all that is wanted has been found. */
  get isDone(): boolean {
    const { position, count } = this.#limit
    return position === 'head' && this.#absent.at(-1)?.length === 0 && this.#found.length >= count
  }

  /** The sequences that are wanted, in the order of their last events; there are no more events. */
  finish(): EventGroup[] {
    for (const state of this.#keys.values()) this.#settle(state, Number.POSITIVE_INFINITY)
    this.#trim()
    return this.#found.map(({ sequence, key }) => ({ key, events: this.#shown(sequence) }))
  }

  /** The places an event takes, the last first: it must not follow itself. */
  #places(filters: FoundEvent['filters']): number[] {
    const places: number[] = []
    for (let place = this.#present.length - 1; place >= 0; place -= 1)
      if (filters.has(this.#present[place] ?? -1)) places.push(place)
    return places
  }

  #advance(event: EventRef, place: number, filters: FoundEvent['filters']): void {
    const key = filters.get(this.#present[place] ?? -1)
    if (!key) return
    const state = place === 0 ? this.#state(key) : this.#keys.get(key.text)
    if (!state) return
    this.#settle(state, event.timeMs)
    const before = place === 0 ? undefined : state.pending[place - 1]
    if (place > 0 && !before) return
    if (before) state.pending[place - 1] = undefined
    const { maxSpanMs = Number.POSITIVE_INFINITY } = this.#shape
    if (before && event.timeMs - before.firstMs > maxSpanMs) {
      this.#bytes -= before.bytes
      return
    }
    const bytes = bytesOfEvent(event)
    const precededMs = before?.precededMs ?? state.precededMs
    const firstMs = before?.firstMs ?? event.timeMs
    const next: Pending = { event, before, firstMs, precededMs, bytes: bytes + (before?.bytes ?? 0) }
    this.#bytes += bytes
    if (place < this.#present.length - 1) {
      this.#bytes -= state.pending[place]?.bytes ?? 0
      state.pending[place] = next
    } else this.#complete(state, next)
    this.#forget(state)
  }

  #complete(state: KeyState, sequence: Pending): void {
    const { maxSpanMs = Number.POSITIVE_INFINITY } = this.#shape
    if (sequence.precededMs !== never && sequence.precededMs >= sequence.event.timeMs - maxSpanMs) {
      this.#bytes -= sequence.bytes
      return
    }
    const order = this.#order++
    if (this.#absent.at(-1)?.length === 0) this.#emit(state.key, sequence, order)
    else state.waiting.push({ sequence, order })
  }

  /** An event that must be missing at a gap is there. */
  #refute(event: EventRef, gap: number, key: JoinKey): void {
    const state = gap === 0 ? this.#state(key) : this.#keys.get(key.text)
    if (!state) return
    if (gap === 0) state.precededMs = event.timeMs
    else if (gap < this.#present.length) this.#drop(state, gap - 1, event)
    else {
      this.#settle(state, event.timeMs)
      const kept = state.waiting.filter(({ sequence }) => sequence.event === event)
      for (const { sequence } of state.waiting) if (sequence.event !== event) this.#bytes -= sequence.bytes
      state.waiting = kept
    }
    this.#forget(state)
  }

  /** Drops a pending sequence, unless the event at hand has just become a part of it. */
  #drop(state: KeyState, place: number, event: EventRef): void {
    const pending = state.pending[place]
    if (!pending || pending.event === event) return
    this.#bytes -= pending.bytes
    state.pending[place] = undefined
    this.#forget(state)
  }

  /** Sequences whose time is over without the event that must be missing. */
  #settle(state: KeyState, nowMs: number): void {
    if (state.waiting.length === 0) return
    const { maxSpanMs = Number.POSITIVE_INFINITY } = this.#shape
    // They became whole in the order they began.
    const left = state.waiting.findIndex(({ sequence }) => sequence.firstMs + maxSpanMs >= nowMs)
    const over = state.waiting.splice(0, left < 0 ? state.waiting.length : left)
    for (const { sequence, order } of over) this.#emit(state.key, sequence, order)
  }

  #emit(key: JoinKey, sequence: Pending, order: number): void {
    this.#found.push({ sequence, key, order })
    if (this.#found.length >= 2 * this.#limit.count + 64) this.#trim()
  }

  #trim(): void {
    const { position, count } = this.#limit
    this.#found.sort((one, other) => one.order - other.order)
    const kept =
      position === 'head' ? this.#found.slice(0, count) : this.#found.slice(Math.max(0, this.#found.length - count))
    const held = new Set(kept)
    for (const each of this.#found) if (!held.has(each)) this.#bytes -= each.sequence.bytes
    this.#found = kept
  }

  #state(key: JoinKey): KeyState {
    const known = this.#keys.get(key.text)
    if (known) return known
    const bytes = bytesOfKey(key)
    const made: KeyState = { key, bytes, pending: [], waiting: [], precededMs: never }
    this.#keys.set(key.text, made)
    this.#bytes += bytes
    return made
  }

  /** A key with nothing to remember is forgotten. */
  #forget(state: KeyState): void {
    if (state.precededMs !== never || state.waiting.length > 0 || state.pending.some((each) => each !== undefined))
      return
    if (this.#keys.delete(state.key.text)) this.#bytes -= state.bytes
  }

  /** Lets go of what can no longer become a sequence. */
  #sweep(nowMs: number): void {
    const { maxSpanMs } = this.#shape
    this.#trim()
    if (maxSpanMs === undefined) return
    for (const state of this.#keys.values()) {
      this.#settle(state, nowMs)
      for (const [place, pending] of state.pending.entries())
        if (pending && nowMs - pending.firstMs > maxSpanMs) {
          this.#bytes -= pending.bytes
          state.pending[place] = undefined
        }
      if (state.precededMs < nowMs - maxSpanMs) state.precededMs = never
      this.#forget(state)
    }
  }

  #shown(sequence: Pending): (EventRef | undefined)[] {
    const events: EventRef[] = []
    for (let at: Pending | undefined = sequence; at; at = at.before) events.push(at.event)
    events.reverse()
    let next = 0
    return this.#shape.stages.map(({ missing }) => (missing ? undefined : events[next++]))
  }
}
