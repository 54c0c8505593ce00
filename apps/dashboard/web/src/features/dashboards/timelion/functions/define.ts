import type { Given, Parameter } from '../language/given.ts'
import type { Series } from '../language/series.ts'
import type { TimeFrame } from '../language/time-frame.ts'
import type { EsQuestion } from '../search/question.ts'

/** What functions are told besides their arguments. */
export interface Surroundings {
  readonly frame: TimeFrame
  /** Asks search for the series of a question; their moments are those of the documents. */
  ask(question: EsQuestion): Promise<readonly Series[]>
}

type Answer = readonly Series[] | Promise<readonly Series[]>

/** A function of the language, named by its word in expressions. */
export type TimelionFunction = {
  readonly name: string
  readonly aliases: readonly string[]
  readonly parameters: readonly Parameter[]
  /** Whether it takes arguments of any other name, too. */
  readonly takesOthers: boolean
} & (
  | { readonly kind: 'source'; readonly run: (given: Given, surroundings: Surroundings) => Answer }
  | {
      readonly kind: 'chainable'
      readonly run: (series: readonly Series[], given: Given, surroundings: Surroundings) => Answer
    }
)

interface Declared {
  readonly aliases?: readonly string[]
  /** In their order; a name followed by `…` may be given several times. */
  readonly parameters?: readonly (string | Parameter)[]
  readonly takesOthers?: boolean
}

/** Declares a function that makes series of those before it in the chain. */
export function defineChainable(
  name: string,
  declared: Declared,
  run: Extract<TimelionFunction, { kind: 'chainable' }>['run'],
): TimelionFunction {
  return { kind: 'chainable', ...shared(name, declared), run }
}

/** Declares a function that begins a chain. */
export function defineSource(
  name: string,
  declared: Declared,
  run: Extract<TimelionFunction, { kind: 'source' }>['run'],
): TimelionFunction {
  return { kind: 'source', ...shared(name, declared), run }
}

function shared(name: string, { aliases = [], parameters = [], takesOthers = false }: Declared) {
  const read = (one: string | Parameter): Parameter => {
    if (typeof one !== 'string') return one
    return one.endsWith('…') ? { name: one.slice(0, -1), isMultiple: true } : { name: one }
  }
  return { name, aliases, takesOthers, parameters: parameters.map(read) }
}
