/** Keeps a job at a pace in documents a second, which may change while it waits. */
export class Throttle {
  #rate: number
  /** Of all pauses so far, in milliseconds. */
  throttledMs = 0
  #pause: { readonly documents: number; readonly beganAtMs: number; readonly wake: () => void } | undefined
  readonly #now: () => number

  /** `rate`: documents a second, Infinity for no limit. */
  constructor(rate: number, now: () => number) {
    this.#rate = rate
    this.#now = now
  }

  get rate(): number {
    return this.#rate
  }

  /** Milliseconds until the pause that lasts now will end; 0 outside pauses. */
  get untilMs(): number {
    if (!this.#pause) return 0
    return Math.max(0, Math.round(this.#endsAtMs(this.#pause) - this.#now()))
  }

  /** Changes the pace, also of a pause that lasts. */
  change(rate: number): void {
    this.#rate = rate
    this.#pause?.wake()
  }

  /** Waits as long as `documents` take at the pace, less what working on them took. Ends early when the signal aborts. */
  async wait(documents: number, workedMs: number, signal: AbortSignal): Promise<void> {
    const beganAtMs = this.#now()
    // Stays 0 where no pause was due, however long a busy machine took to find that out.
    let pausedMs = 0
    for (;;) {
      if (signal.aborted) break
      const pause = { documents, beganAtMs: beganAtMs - workedMs, wake: (): void => undefined }
      const leftMs = this.#endsAtMs(pause) - this.#now()
      if (leftMs <= 0) break
      await new Promise<void>((resolve) => {
        // A timer takes 2^31 ms at most; the loop goes on where a pause is longer.
        const timer = setTimeout(resolve, Math.min(leftMs, 2 ** 31 - 1))
        const wake = (): void => {
          clearTimeout(timer)
          resolve()
        }
        this.#pause = { ...pause, wake }
        signal.addEventListener('abort', wake, { once: true })
      })
      // A job of days pauses thousands of times under one signal.
      if (this.#pause) signal.removeEventListener('abort', this.#pause.wake)
      this.#pause = undefined
      pausedMs = this.#now() - beganAtMs
    }
    this.throttledMs += Math.max(0, Math.round(pausedMs))
  }

  #endsAtMs({ documents, beganAtMs }: { documents: number; beganAtMs: number }): number {
    return beganAtMs + (documents / this.#rate) * 1000
  }
}
