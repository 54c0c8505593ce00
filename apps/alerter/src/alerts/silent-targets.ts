/** A receiver that did not answer. */
interface Silent {
  /** When that was. */
  readonly sinceMs: number
  readonly untilMs: number
  readonly failures: number
  readonly said: string
  /** Whether somebody tries it now: the others wait for how that ends. */
  isTried: boolean
}

/** Longer than this, in milliseconds, a failure keeps others waiting; one that is answered at once costs next to nothing. */
const slowMs = 1_000

/**
 * Receivers that let an attempt wait in vain. Each attempt would take as long as the limit of its channel: while thousands of alerts wait for one that hangs, nothing
 * would go to the others. So it is tried with one of them at a time, with growing pauses.
 */
export class SilentTargets {
  readonly #silent = new Map<string, Silent>()

  /** Why a receiver is not to be tried now; undefined when it is, and then `ended` must be called. */
  refuses(target: string, nowMs: number): string | undefined {
    const silent = this.#silent.get(target)
    if (!silent) return undefined
    // A clock that was set back keeps nobody waiting.
    const isOver = nowMs >= silent.untilMs || nowMs < silent.sinceMs
    if (silent.isTried || !isOver) return silent.said
    silent.isTried = true
    return undefined
  }

  /** An attempt took so long, and ended well (`said` undefined) or not; `pauseMs` says how long to wait after so many failures. */
  ended(target: string, attempt: Attempt): void {
    const { tookMs, said, nowMs, pauseMs } = attempt
    if (said === undefined || tookMs < slowMs) {
      this.#silent.delete(target)
      return
    }
    const before = this.#silent.get(target)
    // Of those that were under way together when it fell silent the first one counts.
    if (before && !before.isTried) return
    const failures = before?.failures ?? 0
    const untilMs = nowMs + pauseMs(failures)
    this.#silent.set(target, { sinceMs: nowMs, untilMs, failures: failures + 1, said, isTried: false })
  }

  /** Whether a receiver did not answer when it was tried last. */
  has(target: string): boolean {
    return this.#silent.has(target)
  }
}

/** The name of a receiver: a channel with the same options is the same one, whichever rule names it. */
export function targetOf(channel: string, options: unknown): string {
  return JSON.stringify([channel, options])
}

/** How an attempt ended. */
export interface Attempt {
  readonly tookMs: number
  readonly said: string | undefined
  readonly nowMs: number
  pauseMs(failures: number): number
}
