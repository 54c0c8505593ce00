import { z } from 'zod'

/** What happened at one moment: how many events, and sum, least and most of their values. */
interface Moment {
  readonly time: number
  readonly n: number
  readonly sum: number
  readonly min: number
  readonly max: number
}

const savedSchema = z.array(
  z.object({ time: z.number(), n: z.number(), sum: z.number(), min: z.number(), max: z.number() }),
)

/** A window holds this many moments at most: what is closer together than a thousandth of the span is one. */
const momentsMax = 1000

/**
 * ElastAlert's window: moments in order of time, less what is as old as the span or older than the newest. A moment without events
 * (`n` 0) only moves time on.
 */
export class CountWindow {
  readonly #spanMs: number
  readonly #grainMs: number
  #moments: Moment[]

  constructor(spanMs: number, saved?: unknown) {
    this.#spanMs = spanMs
    this.#grainMs = Math.max(1, Math.floor(spanMs / momentsMax))
    this.#moments = savedSchema.safeParse(saved).data ?? []
  }

  /** Adds `n` events with the sum `value` at `time`; answers the moments that fell out, oldest first. */
  add(time: number, n: number, value: number): Moment[] {
    const moment = {
      time,
      n,
      sum: value,
      min: n > 0 ? value : Number.MAX_VALUE,
      max: n > 0 ? value : -Number.MAX_VALUE,
    }
    this.#place(moment)
    return this.#shed()
  }

  /** Takes a moment that another window shed. */
  take(moment: Moment): void {
    this.#place(moment)
    this.#shed()
  }

  /** Events in the window, or the sum of what was counted. */
  get count(): number {
    return this.#moments.reduce((total, { sum }) => total + sum, 0)
  }

  /** The mean of the values; undefined without any. */
  get mean(): number | undefined {
    const n = this.#moments.reduce((total, moment) => total + moment.n, 0)
    return n === 0 ? undefined : this.count / n
  }

  get min(): number | undefined {
    const least = Math.min(...this.#moments.map(({ min }) => min), Number.MAX_VALUE)
    return least === Number.MAX_VALUE ? undefined : least
  }

  get max(): number | undefined {
    const most = Math.max(...this.#moments.map(({ max }) => max), -Number.MAX_VALUE)
    return most === -Number.MAX_VALUE ? undefined : most
  }

  get first(): number | undefined {
    return this.#moments[0]?.time
  }

  get last(): number | undefined {
    return this.#moments.at(-1)?.time
  }

  get size(): number {
    return this.#moments.length
  }

  clear(): void {
    this.#moments = []
  }

  save(): unknown {
    return this.#moments
  }

  #place(moment: Moment): void {
    const place = this.#moments.findLastIndex((earlier) => earlier.time <= moment.time) + 1
    const before = this.#moments[place - 1]
    const isSame =
      before !== undefined && Math.floor(before.time / this.#grainMs) === Math.floor(moment.time / this.#grainMs)
    if (!isSame) {
      this.#moments.splice(place, 0, moment)
      return
    }
    this.#moments[place - 1] = {
      time: moment.time,
      n: before.n + moment.n,
      sum: before.sum + moment.sum,
      min: Math.min(before.min, moment.min),
      max: Math.max(before.max, moment.max),
    }
  }

  #shed(): Moment[] {
    const newest = this.last ?? 0
    const kept = this.#moments.findIndex(({ time }) => newest - time < this.#spanMs)
    return kept <= 0 ? [] : this.#moments.splice(0, kept)
  }
}
