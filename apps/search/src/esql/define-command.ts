import type { Command, CommandOf, Expression } from '@logstack/esql'
import { compile, type Surroundings } from './compile.ts'
import type { Enriched } from './enrich/enriched.ts'
import { type Fault, noteIn } from './faults.ts'
import { Problem } from './problems.ts'
import { type Aliases, columnOf, type Stage, variantsOf } from './stage.ts'
import type { Value } from './value.ts'

/** What the commands of one query share. */
export interface QueryContext {
  readonly text: string
  readonly nowMs: number
  readonly aliases: Aliases
  /** What is told beside the answer, as `Warning` headers. */
  readonly warnings: Set<string>
  /** The rows of the indices that LOOKUP JOIN names, by name, and why they cannot be joined. */
  readonly lookups: Map<string, { readonly stage: Stage; readonly refusal: string | undefined }>
  /** What each ENRICH adds to the rows before it. */
  readonly enriched: Map<CommandOf<'enrich'>, Enriched>
  /** Whether the query says how many rows it wants. */
  readonly hasLimit: boolean
  /** Whether rows are read more than once, so that those that are taken out of many must be the same each time. */
  readonly readsAgain: boolean
  /** What stands wrong in the query; all of it is told at once. */
  readonly problems: Problem[]
}

/** A processing command: what it makes of the rows before it. */
export interface EsqlCommand<Name extends Command['command']> {
  readonly name: Name
  /** Throws `Problem`, or notes several in the context. */
  apply(stage: Stage, command: CommandOf<Name>, context: QueryContext): Stage
}

/** Declares a processing command of ES|QL. */
export function defineCommand<Name extends Command['command']>(definition: EsqlCommand<Name>): EsqlCommand<Name> {
  return definition
}

/** What expressions over the rows of a stage are compiled against. */
export function surroundings(stage: Stage, { text, nowMs }: QueryContext, faults?: Fault[]): Surroundings {
  return {
    note: faults && noteIn(faults),
    text,
    nowMs,
    matches: stage.matches,
    past: stage.past ?? [],
    fieldTypes: () =>
      new Map(stage.columns.flatMap(({ field, type }) => (field === undefined ? [] : [[field, type] as const]))),
    column: (name, at, isSearched) => columnOf(stage, name, at, text.slice(at.from, at.to), isSearched),
    variants: (name, at) => variantsOf(stage, name, at, text.slice(at.from, at.to)),
  }
}

/** Compiles an expression over the rows of a stage; what may leave a row without a value is added to `faults`. Throws `Problem`. */
export function valueIn(stage: Stage, context: QueryContext, expression: Expression, faults?: Fault[]): Value {
  return compile(expression, surroundings(stage, context, faults))
}

/** Runs `work`; what stands wrong is noted, and the rest of the query is looked at, too. */
export function noting<Result>(context: QueryContext, work: () => Result): Result | undefined {
  try {
    return work()
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown
    context.problems.push(thrown)
    return undefined
  }
}
