import type { RawEvent } from '../documents/build-document.ts'

/** How an input's events are read: they wait as what they came as, one line of text for most, and become fields when their turn has come. */
export interface EventSource<T> {
  /** Describes an event that was collected then (milliseconds since 1970); must not throw. */
  describe(item: T, collected: number): RawEvent
  /** How much memory it takes while it waits. */
  bytesOf(item: T): number
}

/** An event that had to be read to know that it is one. */
export interface DescribedEvent {
  readonly event: RawEvent
  readonly bytes: number
}

/** The source of events that were read as they came. */
export const describedSource: EventSource<DescribedEvent> = {
  describe: ({ event }, collected) => ({ ...event, collected }),
  bytesOf: ({ bytes }) => bytes,
}

/**
 * Events that came together and wait together. What waits for search outlives young collections and is copied by them: an object for each event would
 * cost more than reading it.
 */
export class EventRun<T = unknown> {
  readonly #items: readonly T[]
  readonly #source: EventSource<T>
  /** When they were received, milliseconds since 1970. */
  readonly received: number
  /** The number of the first of them among all events of the input. */
  readonly number: number
  readonly #from: number
  readonly #to: number

  /** Those of `items` from `from` up to `to`. */
  constructor(
    items: readonly T[],
    source: EventSource<T>,
    place: { readonly from: number; readonly to: number; readonly received: number; readonly number: number },
  ) {
    this.#items = items
    this.#source = source
    this.#from = place.from
    this.#to = place.to
    this.received = place.received
    this.number = place.number
  }

  get length(): number {
    return this.#to - this.#from
  }

  /** How much memory they take. */
  get bytes(): number {
    let bytes = 0
    for (let at = this.#from; at < this.#to; at += 1) bytes += this.#source.bytesOf(this.#items[at] as T)
    return bytes
  }

  /** One of them, counted from 0. */
  describe(at: number): RawEvent {
    return this.#source.describe(this.#items[this.#from + at] as T, this.received)
  }

  /** The first `count` of them, and the rest. */
  split(count: number): [EventRun<T>, EventRun<T>] {
    const middle = this.#from + count
    const { received, number } = this
    return [
      new EventRun(this.#items, this.#source, { from: this.#from, to: middle, received, number }),
      new EventRun(this.#items, this.#source, { from: middle, to: this.#to, received, number: number + count }),
    ]
  }
}
