import type { EqlQuery, EventFilter, Field, Stage } from '@logstack/eql'
import type { ResolvedField } from '../model/mapping.ts'
import type { Scope } from '../model/scope.ts'
import { type Clause, every, exists, nothing } from './clauses.ts'
import { Conditions } from './conditions.ts'
import { EqlFields, type FieldsOfIndex, type FoundField, type KnownField } from './fields.ts'
import { Problems } from './problems.ts'
import { TypeCheck } from './type-check.ts'

/** What a filter of a sequence or sample finds; items that stand several times share one. */
export interface EventClause {
  readonly clause: Clause
  readonly keys: readonly PlannedKey[]
}

/** A join key. */
export interface PlannedKey {
  /** Undefined: null in every event. */
  readonly field: KnownField | undefined
  /** Whether events without a value belong together; else they are left out. */
  readonly optional: boolean
}

/** An item of a sequence: the number of its filter. */
export interface PlannedStage {
  readonly filter: number
  readonly missing: boolean
}

/** A query as it is asked of the engine. */
export type EqlPlan =
  | { readonly kind: 'event'; readonly clause: Clause; readonly order: EventOrder }
  | {
      readonly kind: 'sequence' | 'sample'
      readonly filters: readonly EventClause[]
      readonly stages: readonly PlannedStage[]
      /** The number of the filter that ends pending sequences. */
      readonly until: number | undefined
      readonly maxSpanMs: number | undefined
      readonly order: EventOrder
    }

/** The order of events: by time, and for those of one time by another field. Undefined where a sample does without. */
export interface EventOrder {
  readonly timestamp: KnownField | undefined
  readonly tiebreaker: KnownField | undefined
}

/** What a query is compiled for. */
export interface CompileContext {
  readonly query: string
  readonly scope: Scope
  readonly indices: readonly FieldsOfIndex[]
  readonly runtime: ReadonlyMap<string, ResolvedField>
  readonly categoryField: string
  readonly timestampField: string
  readonly tiebreakerField: string | undefined
}

/** Makes a query into clauses of the DSL. Throws `verification_exception` with all that is wrong with it. */
export function compileQuery(parsed: EqlQuery, context: CompileContext): EqlPlan {
  const problems = new Problems(context.query)
  const { scope, runtime } = context
  const fields = new EqlFields(context.indices, { scope, runtime, problems })
  const compiler = new QueryCompiler(fields, problems, context)
  const plan = compiler.plan(parsed)
  problems.throwAny()
  return plan
}

class QueryCompiler {
  readonly #fields: EqlFields
  readonly #problems: Problems
  readonly #conditions: Conditions
  readonly #context: CompileContext
  readonly #filters: EventClause[] = []
  readonly #numbers = new Map<Stage, number>()

  constructor(fields: EqlFields, problems: Problems, context: CompileContext) {
    this.#fields = fields
    this.#problems = problems
    this.#context = context
    this.#conditions = new Conditions(fields, new TypeCheck(fields, problems, context.query))
  }

  plan(parsed: EqlQuery): EqlPlan {
    const order = parsed.kind === 'sample' ? { timestamp: undefined, tiebreaker: undefined } : this.#order()
    if (parsed.kind === 'event') return { kind: 'event', clause: this.#filter(parsed.filter), order }
    const { kind } = parsed
    const until = kind === 'sequence' ? parsed.until : undefined
    this.#checkKeys(until ? [...parsed.stages, until] : parsed.stages)
    return {
      kind,
      order,
      stages: parsed.stages.map((stage) => ({ filter: this.#number(stage), missing: stage.missing })),
      until: until && this.#number(until),
      maxSpanMs: kind === 'sequence' ? parsed.maxSpanMs : undefined,
      filters: this.#filters,
    }
  }

  #order(): EventOrder {
    const { timestampField, tiebreakerField } = this.#context
    const timestamp = this.#required(timestampField)
    if (timestamp && timestamp.valueClass !== 'date')
      this.#problems.add(
        undefined,
        `Timestamp field [${timestampField}] must be a date, found [${timestamp.valueClass}]`,
      )
    return { timestamp, tiebreaker: tiebreakerField === undefined ? undefined : this.#required(tiebreakerField) }
  }

  #required(name: string): KnownField | undefined {
    const found = this.#fields.exact({ name, optional: false, at: undefined })
    return found.kind === 'known' ? found : undefined
  }

  #filter({ category, condition, at }: EventFilter): Clause {
    const asked = this.#conditions.holds(condition)
    if (category === undefined) return asked
    const name = this.#context.categoryField
    const field = this.#fields.exact({ name, optional: false, at })
    if (field.kind !== 'known') return nothing
    return every([{ term: { [field.path]: { value: category } } }, asked])
  }

  #number(stage: Stage): number {
    const known = this.#numbers.get(stage)
    if (known !== undefined) return known
    const keys = stage.by.map((field) => ({ field, found: this.#fields.exact(field) }))
    // Keys that are not optional are there in every event.
    const present = keys.flatMap(({ field, found }) =>
      found.kind === 'known' && !field.optional ? [exists(found.path)] : [],
    )
    this.#filters.push({
      clause: every([...present, this.#filter(stage.filter)]),
      keys: keys.map(({ field, found }) => ({
        field: found.kind === 'known' ? found : undefined,
        optional: field.optional,
      })),
    })
    const number = this.#filters.length - 1
    this.#numbers.set(stage, number)
    return number
  }

  /** Keys at one place are compared with each other, so they are of one class. */
  #checkKeys(stages: readonly Stage[]): void {
    const [first] = stages
    for (const [place, key] of (first?.by ?? []).entries()) {
      const expected = classOf(this.#fields.exact(key))
      for (const { by } of stages) {
        const other = by[place] as Field
        const given = classOf(this.#fields.exact(other))
        if (expected !== undefined && given !== undefined && given !== expected)
          this.#problems.add(
            other.at,
            `Sequence key [${other.name}] type [${given}] is incompatible with key [${key.name}] type [${expected}]`,
          )
      }
    }
  }
}

function classOf(found: FoundField): string | undefined {
  return found.kind === 'known' ? found.valueClass : undefined
}
