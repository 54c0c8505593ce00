import { ScriptFault } from './script-error.ts'
import { isDecimalType } from './types.ts'

/** Statements a script may run inside loops, and a bound for what it may build. */
export const scriptLimits = { loopStepsMax: 1_000_000, sourceCharsMax: 65_535, textCharsMax: 10_000_000 } as const

/** The memory of one run. */
export interface Frame {
  readonly slots: unknown[]
  loopSteps: number
}

/** A compiled expression. */
export type Evaluate = (frame: Frame) => unknown

/** A variable a script declared: where it lives, and whether its division keeps the fraction. */
export interface Variable {
  readonly slot: number
  readonly decimal: boolean
}

/** The names in scope while a script is compiled. */
export class Names {
  readonly #outer: Names | undefined
  readonly #own = new Map<string, Variable>()
  readonly #counter: { next: number }
  readonly #allDecimal: boolean

  /** `allDecimal`: variables of no stated type hold doubles, as in scripts over metrics. */
  constructor(outer?: Names, allDecimal = false) {
    this.#outer = outer
    this.#counter = outer ? outer.#counter : { next: 0 }
    this.#allDecimal = outer ? outer.#allDecimal : allDecimal
  }

  find(name: string): Variable | undefined {
    return this.#own.get(name) ?? this.#outer?.find(name)
  }

  declare(name: string, type: string, at: number): Variable {
    if (this.find(name)) throw new ScriptFault(at, `variable [${name}] is already defined in the scope`)
    const variable = {
      slot: this.#counter.next++,
      decimal: isDecimalType(type) || (this.#allDecimal && type === 'def'),
    }
    this.#own.set(name, variable)
    return variable
  }

  inner(): Names {
    return new Names(this)
  }
}

/** Counts a round of a loop; ends scripts that would run on. */
export function countStep(frame: Frame, at: number): void {
  frame.loopSteps++
  if (frame.loopSteps <= scriptLimits.loopStepsMax) return
  throw new ScriptFault(
    at,
    'The maximum number of statements that can be executed in a loop has been reached.',
    'painless_error',
  )
}
