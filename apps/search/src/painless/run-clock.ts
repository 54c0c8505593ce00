import { readFileSync } from 'node:fs'

/** Where Linux tells of the calling thread; its times are in hundredths of a second. */
const threadStat = '/proc/thread-self/stat'
const tickMs = 10

/** The processor time of this thread so far, in milliseconds. Where no system tells it, that of the process, which is never less. */
export function threadTimeMs(): number {
  try {
    // Behind the name in brackets stand the state (field 3) and, as fields 14 and 15, the times in the program and in the kernel.
    const fields = readFileSync(threadStat, 'latin1')
      .replace(/^.*\) /u, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) * tickMs
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown)) throw thrown
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}

/** A script's time: only what the processor spends on it counts, however busy the machine is. */
export class RunClock {
  readonly #limitMs: number
  readonly #now: () => number
  readonly #spentMs: () => number
  #lookAtMs: number
  #startMs: number | undefined

  /** `now` and `spent`: milliseconds of the wall's clock and of the processor. */
  constructor(limitMs: number, now = () => performance.now(), spent = threadTimeMs) {
    this.#limitMs = limitMs
    this.#now = now
    this.#spentMs = spent
    this.#lookAtMs = now() + limitMs / 20
  }

  /** Whether the time is used up. Cheap: the processor's time, slow to read, is asked for once it can have been. */
  isOver(): boolean {
    const nowMs = this.#now()
    if (nowMs < this.#lookAtMs) return false
    const spentMs = this.#spentMs()
    // Short scripts never ask; what ran before the first question counts as if it had had the processor to itself.
    this.#startMs ??= spentMs - this.#limitMs / 20
    const leftMs = this.#limitMs - (spentMs - this.#startMs)
    this.#lookAtMs = nowMs + leftMs
    return leftMs <= 0
  }
}
