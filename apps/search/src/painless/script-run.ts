import { HeapGauge } from './heap-gauge.ts'
import { RunClock } from './run-clock.ts'
import { ScriptFault } from './script-error.ts'

/** Steps that a script may take, bounds for what it may build, milliseconds of the processor, and bytes that it may hold. */
export const scriptLimits = {
  loopStepsMax: 1_000_000,
  sourceCharsMax: 65_535,
  textCharsMax: 10_000_000,
  runMsMax: 2_000,
  heapBytesMax: 256 * 2 ** 20,
} as const

/** What one run of a script has used; it ends the run when that is too much. */
export class ScriptRun {
  #steps = 0
  #at = 0
  #clock: RunClock | undefined
  #heap: HeapGauge | undefined

  /** With `clock` it has a part of the time that several runs have together. */
  constructor(clock?: RunClock) {
    this.#clock = clock
  }

  get steps(): number {
    return this.#steps
  }

  /** Counts steps at a place of the script. */
  count(at: number, steps: number): void {
    this.#at = at
    this.spend(steps)
  }

  /** Counts further steps at the place that was counted last. */
  spend(steps: number): void {
    this.#steps += steps
    if (this.#steps > scriptLimits.loopStepsMax)
      this.#end('The maximum number of statements that can be executed in a loop has been reached.')
    // Steps differ: some print a large list, some keep a large text.
    this.#clock ??= new RunClock(scriptLimits.runMsMax)
    if (this.#clock.isOver()) this.#end(`The script ran for more than ${scriptLimits.runMsMax} ms.`)
    this.#heap ??= new HeapGauge(scriptLimits.heapBytesMax)
    if (this.#heap.isOver()) this.#end(`The script held more than ${scriptLimits.heapBytesMax} bytes.`)
  }

  #end(reason: string): never {
    throw new ScriptFault(this.#at, reason, 'painless_error')
  }
}

/** The run in hand: one thread runs all scripts, and the values they compare and print know nothing of frames. */
const inHand: { run: ScriptRun | undefined } = { run: undefined }

/** Has `work` run as one run of a script, in the time that `clock` leaves, if given; runs may stand in each other. */
export function asRun<T>(work: (run: ScriptRun) => T, clock?: RunClock): T {
  const outer = inHand.run
  const run = new ScriptRun(clock)
  inHand.run = run
  try {
    return work(run)
  } finally {
    inHand.run = outer
  }
}

/** Counts steps in the run in hand; outside of runs nothing is counted. */
export function spend(steps: number): void {
  if (steps > 0) inHand.run?.spend(steps)
}
