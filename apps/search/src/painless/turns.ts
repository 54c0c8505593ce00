import { illegalArgument } from '../refusals/refuse.ts'
import { threadTimeMs } from './run-clock.ts'
import { inOneTime } from './script-run.ts'
import { isThreadHeld, othersTurn } from './thread-rounds.ts'

/** Milliseconds of the processor that the scripts of one request may run for in all. */
const scriptsMsMax = 30_000

/**
 * The scripts of one request: one thread answers all requests, so others have their turn between what runs them. What `run` is given has the time
 * of one script together, and all that it is given has a time, too.
 */
export class Turns {
  readonly #signal: AbortSignal | undefined
  readonly #limitMs: number
  #ranMs = 0
  #workedMs = 0
  /** The processor's time at the last turn: it is slow to ask for, so what runs before the first counts by the clock. */
  #spentMs: number | undefined

  /** `signal` ends it at the next turn; without a limit it may go on for ever. */
  constructor(signal?: AbortSignal, limitMs: number = scriptsMsMax) {
    this.#signal = signal
    this.#limitMs = limitMs
  }

  /** Has `work` run scripts, in the time of one run together. */
  run<T>(work: () => T): T {
    const fromMs = performance.now()
    try {
      return inOneTime(work)
    } finally {
      this.#ranMs += performance.now() - fromMs
    }
  }

  /** Whether it is time for `rest`. */
  get isDue(): boolean {
    return isThreadHeld()
  }

  /** Has others run when it is time. Throws `illegal_argument_exception` for what has run too long, and the signal's reason once that is aborted. */
  async rest(): Promise<void> {
    if (!this.isDue) return
    this.check()
    await othersTurn(this.#workedMs, this.#signal)
    this.#spentMs = threadTimeMs()
    this.#signal?.throwIfAborted()
  }

  /** Has `work` run scripts once others had their turn, where that is due. */
  async take<T>(work: () => T): Promise<T> {
    if (this.isDue) await this.rest()
    return this.run(work)
  }

  /**
   * For what cannot rest: throws as `rest` does. What others did meanwhile is time of this thread as well, and what others of the machine did is
   * time of the clock: neither counts.
   */
  check(): void {
    this.#signal?.throwIfAborted()
    const spentMs = this.#spentMs === undefined ? this.#ranMs : threadTimeMs() - this.#spentMs
    this.#workedMs += Math.min(this.#ranMs, spentMs)
    this.#ranMs = 0
    if (this.#workedMs > this.#limitMs)
      throw illegalArgument(`the scripts of a request may run for at most [${this.#limitMs}ms]`)
  }
}
