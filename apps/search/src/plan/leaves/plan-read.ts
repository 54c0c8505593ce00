import type { ReadOptions } from '../../engine/engine.ts'
import { Turns } from '../../painless/turns.ts'

/** How a request reads, and the turns that all its scripts take together. */
export interface PlanRead extends ReadOptions {
  /** Absent where a caller has no other scripts: those of the reading have turns of their own. */
  readonly turns?: Turns
}

/** The turns that scripts take while this is read. */
export function turnsOf(read: PlanRead): Turns {
  return read.turns ?? new Turns(read.signal)
}
