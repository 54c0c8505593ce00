import type { Call, Comparison, ComparisonOperator, Expression, Field, Literal, Lookup } from '@logstack/eql'
import { type Clause, every, exists, nothing, some, without } from './clauses.ts'
import type { EqlFields, KnownField } from './fields.ts'
import { findFunction, takenAt } from './functions.ts'
import { lookedUp, wildcardText } from './lookups.ts'
import { alwaysNull, ScriptWriter } from './script-values.ts'
import type { ScriptValue } from './scripted-functions.ts'
import type { TypeCheck } from './type-check.ts'

const everything: Clause = { match_all: {} }
const negated: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
}
const flipped: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}
const bounds: Readonly<Partial<Record<ComparisonOperator, string>>> = { '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte' }

/**
 * Conditions as clauses of the query DSL. They have three outcomes: what is compared with a missing value is neither true nor false, so `holds` and
 * `fails` are asked apart, and neither finds it.
 */
export class Conditions {
  readonly #fields: EqlFields
  readonly #check: TypeCheck
  #scripts = 0

  constructor(fields: EqlFields, check: TypeCheck) {
    this.#fields = fields
    this.#check = check
  }

  /** The clause of documents for which a condition is true. What is wrong with it is noted as a problem. */
  holds(condition: Expression): Clause {
    return this.#asked(condition, true)
  }

  #asked(condition: Expression, wanted: boolean): Clause {
    switch (condition.kind) {
      case 'not':
        return this.#asked(condition.value, !wanted)
      case 'and':
      case 'or': {
        const clauses = condition.values.map((value) => this.#asked(value, wanted))
        return (condition.kind === 'and') === wanted ? every(clauses) : some(clauses)
      }
      case 'literal':
        return this.#constant(condition, wanted)
      case 'field':
        return this.#flag(condition, wanted)
      case 'comparison':
        return this.#comparison(condition, wanted)
      case 'lookup':
        return this.#lookup(condition, wanted)
      case 'call':
        return this.#call(condition, wanted)
    }
  }

  #constant(literal: Literal, wanted: boolean): Clause {
    if (literal.value === null) return nothing
    if (typeof literal.value === 'boolean') return literal.value === wanted ? everything : nothing
    return this.#noCondition(literal, 'a constant')
  }

  #noCondition(expression: Expression, found: string): Clause {
    this.#check.refuse(expression, `Condition expression needs to be boolean, found [${found}]`)
    return nothing
  }

  #flag(field: Field, wanted: boolean): Clause {
    const found = this.#fields.exact(field)
    if (found.kind !== 'known') return nothing
    if (found.valueClass !== 'boolean') return this.#noCondition(field, found.valueClass)
    return { term: { [found.path]: { value: wanted } } }
  }

  #comparison(comparison: Comparison, wanted: boolean): Clause {
    const { left, right, at, end } = comparison
    const operator = wanted ? comparison.operator : negated[comparison.operator]
    const isEquality = operator === '==' || operator === '!='
    if (isEquality && isNull(right)) return this.#nullness(left, operator === '==')
    if (isEquality && isNull(left)) return this.#nullness(right, operator === '==')
    if (isNull(left) || isNull(right)) return nothing
    if (isEquality && isFlag(right) && !isValue(left)) return this.#asked(left, (operator === '==') === right.value)
    if (isEquality && isFlag(left) && !isValue(right)) return this.#asked(right, (operator === '==') === left.value)
    if (!this.#check.comparable(left, right, comparison)) return nothing
    if (left.kind === 'field' && right.kind === 'literal') return this.#compared(left, operator, right)
    if (right.kind === 'field' && left.kind === 'literal') return this.#compared(right, flipped[operator], left)
    return this.#scripted({ at, end }, (writer) => compared(writer.value(left), operator, writer.value(right)))
  }

  /** Whether a value is null, which has but two outcomes. */
  #nullness(value: Expression, isWanted: boolean): Clause {
    if (value.kind === 'literal') return (value.value === null) === isWanted ? everything : nothing
    if (value.kind === 'field') {
      const found = this.#fields.present(value)
      if (found === 'refused') return nothing
      if (found === 'null') return isWanted ? everything : nothing
      return isWanted ? without(exists(value.name)) : exists(value.name)
    }
    const present = isValue(value)
      ? this.#scripted(value, (writer) => `${writer.variable('def', writer.value(value).code).code} != null`)
      : some([this.#asked(value, true), this.#asked(value, false)])
    return isWanted ? without(present) : present
  }

  #compared(field: Field, operator: ComparisonOperator, { value }: Literal): Clause {
    const found = this.#fields.exact(field)
    if (found.kind !== 'known' || value === null) return nothing
    const bound = bounds[operator]
    if (bound !== undefined) {
      if (found.valueClass !== 'boolean') return { range: { [found.path]: { [bound]: value } } }
      this.#check.refuse(field, `Booleans have no order: [${operator}] cannot be used with [${found.name}]`)
      return nothing
    }
    const equal = { term: { [found.path]: { value } } }
    return operator === '==' ? equal : every([exists(found.path), without(equal)])
  }

  #lookup(lookup: Lookup, wanted: boolean): Clause {
    const { value, listed } = lookup
    if (value.kind !== 'field') return this.#lookedUpInScript(lookup, wanted)
    const found = this.#fields.exact(value)
    if (found.kind !== 'known') return nothing
    const clause = some(lookedUp(lookup, found, this.#check))
    if (wanted) return clause
    // Whether an unknown value is among those listed is not known.
    if (listed.some(isNull)) return nothing
    return every([exists(found.path), without(clause)])
  }

  #lookedUpInScript(lookup: Lookup, wanted: boolean): Clause {
    const { operator, ignoresCase, value, listed } = lookup
    const hasPatterns =
      operator !== 'in' && listed.some((each) => typeof each.value === 'string' && /[*?]/.test(each.value))
    if (operator === 'regex' || hasPatterns) {
      this.#check.refuse(lookup, `Patterns can be looked for in fields only, not in [${this.#check.textOf(value)}]`)
      return nothing
    }
    const given = listed.filter((each) => !isNull(each))
    if (!wanted && given.length < listed.length) return nothing
    if (!given.every((each) => this.#check.comparable(value, each, lookup))) return nothing
    return this.#scripted(lookup, (writer) => {
      const asked = writer.value(value)
      const isOne = given.map((each) => equal(asked, writer.value(each), ignoresCase)).join(' || ')
      return wanted ? isOne : `!(${isOne})`
    })
  }

  #call(call: Call, wanted: boolean): Clause {
    const found = this.#check.functionOf(call)
    if (!found) return nothing
    if (found.gives !== 'boolean') return this.#noCondition(call, found.gives)
    const direct = found.name === 'cidrMatch' ? this.#cidrMatch(call) : this.#affix(call)
    if (direct === 'null') return nothing
    if (direct !== undefined) return wanted ? direct.clause : every([exists(direct.path), without(direct.clause)])
    for (const [at, argument] of call.args.entries()) this.#check.expect(argument, takenAt(found, at), call, at)
    return this.#scripted(call, (writer) => {
      const { code } = writer.value(call)
      return wanted ? code : `!(${code})`
    })
  }

  #cidrMatch(call: Call): Direct | 'null' {
    const [address, ...blocks] = call.args
    for (const [at, argument] of call.args.entries()) this.#check.expect(argument, at === 0 ? 'ip' : 'string', call, at)
    if (address?.kind !== 'field' || blocks.some(({ kind }) => kind !== 'literal')) {
      if (!call.args.some(isNull))
        this.#check.refuse(call, `[${this.#check.textOf(call)}] needs a field and constant blocks`)
      return 'null'
    }
    const found = this.#fields.exact(address)
    const values = blocks.map((block) => (block.kind === 'literal' ? block.value : null))
    if (found.kind !== 'known' || values.includes(null) || found.valueClass !== 'ip') return 'null'
    return { path: found.path, clause: { terms: { [found.path]: values } } }
  }

  /** The begin, end or any part of a field that is a constant: a pattern, which the indexes know. */
  #affix({ name, args, ignoresCase }: Call): Direct | 'null' | undefined {
    const [source, part] = args
    if (source?.kind !== 'field' || part?.kind !== 'literal' || typeof part.value !== 'string') return undefined
    const found = this.#fields.exact(source)
    if (found.kind !== 'known' || found.valueClass !== 'string') return found.kind === 'known' ? undefined : 'null'
    return { path: found.path, clause: affixClause(found, name, part.value, ignoresCase) }
  }

  #scripted(place: Pick<Expression, 'at' | 'end'>, write: (writer: ScriptWriter) => string): Clause {
    this.#scripts += 1
    if (this.#scripts > scriptsMax) {
      this.#check.refuse(place, `There are more than [${scriptsMax}] computed comparisons`)
      return nothing
    }
    const writer = new ScriptWriter(this.#fields, this.#check)
    try {
      const source = writer.source(write(writer))
      if (source.length > scriptCharsMax) this.#check.refuse(place, 'The condition is too long to be computed')
      const script = { script: { script: { source, params: writer.params } } }
      return every([...[...writer.fields].map(exists), script])
    } catch (thrown) {
      if (thrown !== alwaysNull) throw thrown
      return nothing
    }
  }
}

/** Comparisons of a query that become scripts: each is compiled, and a column of its own. */
const scriptsMax = 200
/** Characters of a script, as scripts have them at most. */
const scriptCharsMax = 65_535

/** A call that is a clause of one field. */
interface Direct {
  readonly path: string
  readonly clause: Clause
}

const isNull = (expression: Expression): boolean => expression.kind === 'literal' && expression.value === null

function isFlag(expression: Expression): expression is Literal & { readonly value: boolean } {
  return expression.kind === 'literal' && typeof expression.value === 'boolean'
}

/** Whether an expression is no condition: a field, a constant, or a call that gives something else. */
function isValue(expression: Expression): boolean {
  if (expression.kind === 'call') return findFunction(expression.name)?.gives !== 'boolean'
  return expression.kind === 'field' || expression.kind === 'literal'
}

function affixClause({ path }: KnownField, name: string, part: string, ignoresCase: boolean): Clause {
  const options = ignoresCase ? { case_insensitive: true } : {}
  if (part === '') return name === 'stringContains' ? nothing : exists(path)
  if (name === 'startsWith') return { prefix: { [path]: { value: part, ...options } } }
  const value = `*${wildcardText(part, true)}${name === 'endsWith' ? '' : '*'}`
  return { wildcard: { [path]: { value, ...options } } }
}

function equal(one: ScriptValue, other: ScriptValue, ignoresCase: boolean): string {
  const isText = one.type === 'String' && other.type === 'String'
  return isText && ignoresCase ? `${one.code}.equalsIgnoreCase(${other.code})` : `${one.code} == ${other.code}`
}

function compared(left: ScriptValue, operator: ComparisonOperator, right: ScriptValue): string {
  const isOrdered = operator !== '==' && operator !== '!='
  if (isOrdered && left.type === 'String') return `${left.code}.compareTo(${right.code}) ${operator} 0`
  return `${left.code} ${operator} ${right.code}`
}
