/** Waits that double from `firstMs` to `longestMs`, each shortened by up to half at random so that many agents do not come back at once. */
export class BackOff {
  readonly #firstMs: number
  readonly #longestMs: number
  readonly #random: () => number
  #nextMs: number

  constructor(options: { readonly firstMs: number; readonly longestMs: number; readonly random?: () => number }) {
    this.#firstMs = options.firstMs
    this.#longestMs = options.longestMs
    this.#random = options.random ?? Math.random
    this.#nextMs = options.firstMs
  }

  /** How long to wait now, in milliseconds. */
  next(): number {
    const wait = this.#nextMs * (1 - this.#random() / 2)
    this.#nextMs = Math.min(this.#nextMs * 2, this.#longestMs)
    return Math.round(wait)
  }

  /** After a success the next wait is the first one again. */
  reset(): void {
    this.#nextMs = this.#firstMs
  }
}
