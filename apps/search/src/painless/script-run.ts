import { HeapGauge } from './heap-gauge.ts'
import { RunClock } from './run-clock.ts'
import { ScriptFault } from './script-error.ts'
import { holding } from './thread-rounds.ts'

/** Steps that a script may take, bounds for what it may build, milliseconds of the processor, and bytes that it may hold. */
export const scriptLimits = {
  loopStepsMax: 1_000_000,
  sourceCharsMax: 65_535,
  textCharsMax: 10_000_000,
  runMsMax: 2_000,
  heapBytesMax: 256 * 2 ** 20,
} as const

/** Time and memory of one run, or of all that run without a turn for others between them. */
interface Budget {
  readonly ms: number
  readonly clock: RunClock
  readonly heap: HeapGauge
}

const newBudget = (ms: number = scriptLimits.runMsMax): Budget => ({
  ms,
  clock: new RunClock(ms),
  heap: new HeapGauge(scriptLimits.heapBytesMax),
})

/** What one run of a script has used; it ends the run when that is too much. */
export class ScriptRun {
  #steps = 0
  #at = 0
  #budget: Budget | undefined

  /** With `budget` it has a part of what several runs have together. */
  constructor(budget?: Budget) {
    this.#budget = budget
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
    this.#budget ??= newBudget()
    if (this.#budget.clock.isOver()) this.#end(`The script ran for more than ${this.#budget.ms} ms.`)
    if (this.#budget.heap.isOver()) this.#end(`The script held more than ${scriptLimits.heapBytesMax} bytes.`)
  }

  #end(reason: string): never {
    throw new ScriptFault(this.#at, reason, 'painless_error')
  }
}

/** The run in hand, and what it has with others: one thread runs all scripts, and the values they compare and print know nothing of frames. */
const inHand: { run: ScriptRun | undefined; budget: Budget | undefined } = { run: undefined, budget: undefined }

/** Has `work` run as one run of a script, with what it has together with others, if any; runs may stand in each other. */
export function asRun<T>(work: (run: ScriptRun) => T): T {
  const outer = inHand.run
  const run = new ScriptRun(inHand.budget)
  inHand.run = run
  try {
    return holding(() => work(run))
  } finally {
    inHand.run = outer
  }
}

/** Has the scripts that `work` runs have the time and memory of one run together, or `ms` of the processor: no other request is answered while it goes on. */
export function inOneTime<T>(work: () => T, ms?: number): T {
  const outer = inHand.budget
  if (ms !== undefined) inHand.budget = newBudget(ms)
  else inHand.budget ??= newBudget()
  try {
    return holding(work)
  } finally {
    inHand.budget = outer
  }
}

/** What of that which `inOneTime` gave what runs now has used up; undefined when there is some left. */
export function usedUp(): 'time' | 'memory' | undefined {
  const { budget } = inHand
  if (budget?.clock.isOver()) return 'time'
  return budget?.heap.isOver() ? 'memory' : undefined
}

/** Counts steps in the run in hand; outside of runs nothing is counted. */
export function spend(steps: number): void {
  if (steps > 0) inHand.run?.spend(steps)
}
