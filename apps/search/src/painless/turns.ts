import { setImmediate } from 'node:timers/promises'
import { illegalArgument } from '../dsl/shapes/refuse.ts'
import { threadTimeMs } from './run-clock.ts'

/** Milliseconds after which other requests have their turn. */
const turnMs = 50

/** Lets others run between the documents that scripts run over: one thread answers all requests. */
export class Turns {
  readonly #limit: { readonly ms: number; readonly what: string } | undefined
  #begunMs = performance.now()
  #spentMs: number
  #workedMs = 0

  /** With `limit` it ends what takes longer, in milliseconds of the processor; `what` names it in the error. */
  constructor(limit?: { readonly ms: number; readonly what: string }) {
    this.#limit = limit
    this.#spentMs = limit ? threadTimeMs() : 0
  }

  /** Whether it is time for `rest`. */
  get isDue(): boolean {
    return performance.now() - this.#begunMs >= turnMs
  }

  /** Has others run when it is time. Throws `illegal_argument_exception` for what has run too long. */
  async rest(): Promise<void> {
    if (!this.isDue) return
    if (this.#limit) {
      this.#workedMs += threadTimeMs() - this.#spentMs
      const { ms, what } = this.#limit
      if (this.#workedMs > ms) throw illegalArgument(`${what} of a request may run for at most [${ms}ms]`)
    }
    await setImmediate()
    this.#begunMs = performance.now()
    if (this.#limit) this.#spentMs = threadTimeMs()
  }
}
