import { isPast } from '../set-back.ts'

/** How long people are told that a rule forgot something. */
const toldMs = 3_600_000

/** Whether a rule had to forget keys that it would need: what people are told of it. */
export class Forgotten {
  readonly #eventsMax: number
  readonly #now: () => number
  #at = Number.NEGATIVE_INFINITY

  /** `eventsMax` is what the windows of the rule may hold together. */
  constructor(eventsMax: number, now: () => number) {
    this.#eventsMax = eventsMax
    this.#now = now
  }

  /** A key was forgotten. */
  note(): void {
    this.#at = this.#now()
  }

  /** What to tell of the last hour, in words that stay the same; undefined where nothing was forgotten. */
  get notice(): string | undefined {
    if (isPast(this.#at, toldMs, this.#now())) return undefined
    return `its windows are full [${this.#eventsMax}]: keys that were not seen for longest are forgotten, and what they add up to is missed; raise window_events_max of the alerter, or narrow the rule's filter or timeframe`
  }
}
