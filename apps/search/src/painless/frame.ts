import type { Statement } from './ast.ts'
import { ScriptFault } from './script-error.ts'
import type { ScriptRun } from './script-run.ts'

/** The memory of one run. */
export interface Frame {
  readonly slots: unknown[]
  /** What the run has used; its functions share it. */
  readonly run: ScriptRun
}

/** A compiled expression. */
export type Evaluate = (frame: Frame) => unknown

/** Compiles statements to what they return; expressions have them in lambdas. */
type CompileBody = (body: readonly Statement[], names: Names) => Evaluate

/** A function of a script's own, once it is compiled: its calls are known before. */
export interface OwnFunction {
  call: (frame: Frame, args: readonly unknown[]) => unknown
}

/** A variable a script declared: where it lives, and its type. */
export interface Variable {
  readonly slot: number
  readonly type: string
}

/** A function that a script calls by its name alone: where it lives, what it gives, and the types it takes for each number of arguments; without `forms` it takes any. */
export interface KnownFunction extends Variable {
  readonly forms?: readonly (readonly string[])[]
}

/** The names in scope while a script is compiled. */
export class Names {
  readonly #outer: Names | undefined
  readonly #own = new Map<string, Variable>()
  readonly #counter: { next: number; compileBody?: CompileBody }
  readonly #functions: Map<string, KnownFunction>
  readonly #ownFunctions: Map<string, OwnFunction>
  #returns: string | undefined

  /** `callable`: the functions of the script, where these names are those within one of them. */
  constructor(outer?: Names, callable?: Map<string, OwnFunction>) {
    this.#outer = outer
    this.#counter = outer ? outer.#counter : { next: 0 }
    this.#functions = outer ? outer.#functions : new Map()
    this.#ownFunctions = outer ? outer.#ownFunctions : (callable ?? new Map())
  }

  /** A function that a script calls by its name alone; its slot holds it. */
  declareFunction(name: string, forms?: KnownFunction['forms'], type = 'def'): Variable {
    const known = { slot: this.#counter.next++, type, ...(forms ? { forms } : {}) }
    this.#functions.set(name, known)
    return known
  }

  findFunction(name: string): KnownFunction | undefined {
    return this.#functions.get(name)
  }

  /** Says what `return` gives in these names and those within them. */
  returning(type: string): void {
    this.#returns = type
  }

  /** The type of what `return` gives; `def` beside functions. */
  get returnType(): string {
    return this.#returns ?? this.#outer?.returnType ?? 'def'
  }

  /** The same names, for a lambda's block: what it returns is not the function's. */
  lambda(): Names {
    const inner = new Names(this)
    inner.returning('def')
    return inner
  }

  /** Says how the blocks of lambdas are compiled. */
  bodiesCompiledBy(compile: CompileBody): void {
    this.#counter.compileBody = compile
  }

  compileBody(body: readonly Statement[], names: Names): Evaluate {
    if (!this.#counter.compileBody) throw new Error('BUG: names without a compiler of blocks')
    return this.#counter.compileBody(body, names)
  }

  /** Notes a function of the script's own, by its name and number of arguments (`name/2`). */
  declareOwnFunction(signature: string, declared: OwnFunction, at: number): void {
    if (this.#ownFunctions.has(signature)) throw new ScriptFault(at, `found duplicate method signature [${signature}]`)
    this.#ownFunctions.set(signature, declared)
  }

  ownFunction(signature: string): OwnFunction | undefined {
    return this.#ownFunctions.get(signature)
  }

  /** The names within a function: nothing but its parameters and the script's functions. */
  withinFunction(): Names {
    return new Names(undefined, this.#ownFunctions)
  }

  find(name: string): Variable | undefined {
    return this.#own.get(name) ?? this.#outer?.find(name)
  }

  declare(name: string, type: string, at: number): Variable {
    if (this.find(name)) throw new ScriptFault(at, `variable [${name}] is already defined in the scope`)
    const variable = { slot: this.#counter.next++, type }
    this.#own.set(name, variable)
    return variable
  }

  inner(): Names {
    return new Names(this)
  }
}

/** Counts rounds of loops, and what else costs as much; ends scripts that would run on. */
export function countStep(frame: Frame, at: number, steps = 1): void {
  frame.run.count(at, steps)
}
