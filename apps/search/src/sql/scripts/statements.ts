import type { Expression, Statement } from '../../painless/ast.ts'
import type { Sql } from '../sql.ts'
import { combined, evaluated, type Held, type Scope, type ScriptReads, typedOf } from './expressions.ts'
import { condition } from './numbers.ts'
import { beyond, both, either, mergedValue, no, not, type Typed, Untranslatable, yes } from './typed-sql.ts'
import { assigned, castBack, firstOfType } from './variables.ts'

/** What a script does, in the order of its statements: each where its condition holds and nothing before it ended the script. */
export type ScriptEvent =
  | { readonly kind: 'fault'; readonly when: Sql }
  | { readonly kind: 'return'; readonly when: Sql; readonly value: Held | undefined }
  | { readonly kind: 'emit'; readonly when: Sql; readonly value: Typed }

/** What a script does as a whole. */
export interface ScriptEffects {
  readonly events: readonly ScriptEvent[]
  /** Where SQL does not say exactly what it does. */
  readonly inexact: Sql
  /** Values that it emits at most. */
  readonly emitsMost: number
}

interface Variable {
  readonly type: string
  readonly held: Held
}

/** Where the script goes on, after statements; `ended`: nowhere. */
interface Path {
  readonly when: Sql
  /** What is known not to hold where it gets on: the script would have failed before. It grows as the path is gone. */
  readonly ruledOut: { known: Sql }
  readonly variables: ReadonlyMap<string, Variable>
  readonly emits: number
  readonly ended: boolean
}

/** Statements that a script may have; longer ones are left to the interpreter. */
const statementsMax = 200

/** Follows the statements of a script. */
class Follower {
  readonly events: ScriptEvent[] = []
  inexact: Sql = no
  emitsMost = 0
  readonly #reads: ScriptReads
  #statements = 0

  constructor(reads: ScriptReads) {
    this.#reads = reads
  }

  /** `isLast`: nothing comes after them. */
  run(statements: readonly Statement[], start: Path, isLast: boolean): Path {
    let path = start
    for (const [at, statement] of statements.entries()) {
      if (path.ended) break
      this.#statements += 1
      if (this.#statements > statementsMax) throw new Untranslatable('too long')
      path = this.#statement(statement, path, isLast && at === statements.length - 1)
    }
    return path
  }

  #statement(statement: Statement, path: Path, isLast: boolean): Path {
    switch (statement.kind) {
      case 'expression':
        return this.#expression(statement.expression, path)
      case 'declare':
        return this.#declare(statement, path)
      case 'block':
        return within(path, this.run(statement.body, path, isLast))
      case 'if':
        return this.#branch(statement, path, isLast)
      case 'return':
        return this.#return(statement.value, path)
      default:
        throw new Untranslatable(statement.kind)
    }
  }

  /** What an expression gives, its faults noted. */
  #value(expression: Expression, path: Path): Held {
    const scope: Scope = { reads: this.#reads, variable: (name) => path.variables.get(name)?.held }
    return this.#noted(evaluated(expression, scope), path)
  }

  #noted(held: Held, path: Path): Held {
    if (held.kind !== 'value') {
      this.#fault(faultOf(held), path)
      return held
    }
    this.#fault(held.fault, path)
    this.inexact = either(this.inexact, held.inexact)
    return { ...held, fault: no, inexact: no }
  }

  #fault(fault: Sql, { when, ruledOut }: Path): void {
    const left = beyond(fault, ruledOut.known)
    if (left !== no) this.events.push({ kind: 'fault', when: both(when, left) })
    ruledOut.known = either(ruledOut.known, left)
  }

  #expression(expression: Expression, path: Path): Path {
    if (expression.kind === 'assign') return this.#assign(expression, path)
    if (expression.kind === 'function' && expression.name === 'emit') return this.#emit(expression.args, path)
    this.#value(expression, path)
    return path
  }

  #emit(args: readonly Expression[], path: Path): Path {
    const [given] = args
    if (given === undefined || args.length !== 1) throw new Untranslatable('points')
    const value = typedOf(this.#value(given, path))
    this.events.push({ kind: 'emit', when: path.when, value })
    const emits = path.emits + 1
    this.emitsMost = Math.max(this.emitsMost, emits)
    return { ...path, emits }
  }

  #declare({ type, names }: Extract<Statement, { kind: 'declare' }>, start: Path): Path {
    let path = start
    for (const { name, value } of names) {
      const held = value ? assigned(type, this.#value(value, path)) : firstOfType(type)
      path = { ...path, variables: new Map(path.variables).set(name, { type, held }) }
    }
    return path
  }

  #assign({ target, operator, value, yieldsOld, at }: Extract<Expression, { kind: 'assign' }>, path: Path): Path {
    if (target.kind !== 'variable') throw new Untranslatable('a field that is set')
    const known = path.variables.get(target.name)
    if (!known) throw new Untranslatable('an unknown name')
    const given = this.#value(value, path)
    const { type } = known
    const held =
      operator === ''
        ? assigned(type, given)
        : steppedTo(type, typedOf(known.held), this.#combined(operator, known.held, given, at, path), yieldsOld)
    return { ...path, variables: new Map(path.variables).set(target.name, { type, held }) }
  }

  #combined(operator: string, old: Held, given: Held, at: number, path: Path): Typed {
    return typedOf(this.#noted(combined(operator, typedOf(old), typedOf(given), at), path))
  }

  #branch({ test, then, otherwise }: Extract<Statement, { kind: 'if' }>, path: Path, isLast: boolean): Path {
    const asked = condition(typedOf(this.#value(test, path)))
    this.#fault(asked.fault, path)
    const holds = asked.sql
    const one = this.#side(then, path, both(path.when, holds), isLast)
    // Where one side ends the script, what comes later is reached where the test does not hold, and need not say so.
    const left = one.ended ? path.when : both(path.when, not(holds))
    const other = otherwise ? this.#side(otherwise, path, left, isLast) : path
    if (one.ended) return other
    if (other.ended) return one
    const variables = new Map<string, Variable>()
    for (const [name, { type, held }] of one.variables) {
      const before = other.variables.get(name)?.held ?? held
      variables.set(name, { type, held: joined(holds, held, before) })
    }
    return { ...path, variables, emits: Math.max(one.emits, other.emits) }
  }

  /** One side of a branch. Where nothing comes after the branch, its end is that of the script. */
  #side(statement: Statement, path: Path, when: Sql, isLast: boolean): Path {
    const start = { ...path, when, ruledOut: { known: path.ruledOut.known } }
    const end = within(path, this.#statement(statement, start, isLast))
    if (!isLast || end.ended) return end
    this.events.push({ kind: 'return', when, value: undefined })
    return { ...end, ended: true }
  }

  #return(value: Expression | undefined, path: Path): Path {
    if (value?.kind === 'assign') throw new Untranslatable('an assignment that is returned')
    if (value?.kind === 'function' && value.name === 'emit') {
      const emitted = this.#emit(value.args, path)
      this.events.push({ kind: 'return', when: path.when, value: undefined })
      return { ...emitted, ended: true }
    }
    const held = value && this.#value(value, path)
    this.events.push({ kind: 'return', when: path.when, value: held })
    return { ...path, ended: true }
  }
}

/** Variables of a block end with it. */
function within(outer: Path, inner: Path): Path {
  const variables = new Map([...inner.variables].filter(([name]) => outer.variables.has(name)))
  return { ...inner, when: outer.when, ruledOut: outer.ruledOut, variables }
}

/** What a variable holds after branches that set it otherwise. */
function joined(holds: Sql, one: Held, other: Held): Held {
  if (one === other) return one
  return mergedValue(holds, typedOf(one), typedOf(other))
}

/** `x += 1` casts to the type of x; of `def` only `x++` keeps it. */
function steppedTo(type: string, before: Typed, made: Typed, isStep: boolean): Typed {
  if (type !== 'def' || !isStep) return castBack(type, made)
  if (before.wide || before.loose) throw new Untranslatable('a number of more than one type')
  return castBack(before.type, made)
}

/** Where reading fields that are not asked for their values yet ends the script. */
function faultOf(held: Held): Sql {
  if (held.kind === 'list') return faultOf(held.of)
  if (held.kind === 'values') return either(not(held.of.mapped), held.of.fault)
  if (held.kind === 'pieces') return held.text.fault
  return held.kind === 'enum' ? held.number.fault : no
}

/** Follows the statements of a script. Throws `Untranslatable`. */
export function effectsOf(statements: readonly Statement[], reads: ScriptReads): ScriptEffects {
  const follower = new Follower(reads)
  const start: Path = { when: yes, ruledOut: { known: no }, variables: new Map(), emits: 0, ended: false }
  follower.run(statements, start, true)
  const { events, inexact, emitsMost } = follower
  return { events, inexact, emitsMost }
}
