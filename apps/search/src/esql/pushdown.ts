import type { Command, Comparison, Expression, Literal } from '@logstack/esql'
import { namesIn } from './names-used.ts'
import { readMoment } from './time/read-moment.ts'
import { dateTypes, type EsqlType } from './types.ts'

type Query = Readonly<Record<string, unknown>>

/** What is known of the names that conditions look at. */
export interface KnownNames {
  /** The type of a field of the indices; undefined where a name is none, or has several. */
  typeOf(name: string): EsqlType | undefined
  /** The query of the DSL that a full text function behind these commands comes to; undefined for any other expression, and where it must not stand. */
  fullText(expression: Expression, past: readonly string[]): unknown
}

/** Conditions right behind FROM as queries of the DSL: what of them finds documents by indexes and skips what lies at other times. */
export interface Pushed {
  /** What documents must meet; all that the conditions find meet it. */
  readonly filter: readonly Query[]
  /** Full text that they must match, and are scored by. */
  readonly fullText: readonly Query[]
  /** The commands without the conditions that the filter says to the letter. */
  readonly rest: readonly Command[]
}

/** The names at one place of a query. */
interface Names extends Pick<KnownNames, 'typeOf'> {
  fullText(expression: Expression): unknown
}

/** The most queries that are made of conditions. */
const queriesMax = 512

/**
 * Makes queries of the conditions that rows must meet before a command changes them. A field of several values meets no comparison, and a query with any of them: therefore comparisons stay
 * where they were, and only full text, which means the same in both, is taken out.
 */
export function pushedDown(commands: readonly Command[], known: KnownNames): Pushed {
  const filter: Query[] = []
  const fullText: Query[] = []
  const rest: Command[] = []
  let isOpen = true
  const hidden = new Set<string>()
  const past: string[] = []
  const names: Names = {
    typeOf: (name) => (hidden.has(name) ? undefined : known.typeOf(name)),
    fullText: (expression) =>
      namesIn(expression).some((name) => hidden.has(name)) ? undefined : known.fullText(expression, past),
  }
  for (const command of commands) {
    isOpen &&= keepsRows(command, hidden)
    if (!isOpen || command.command !== 'where') {
      rest.push(command)
      past.push(command.command)
      continue
    }
    const left: Expression[] = []
    for (const condition of conjuncts(command.condition)) {
      const exact = exactly(condition, names)
      if (exact !== undefined) fullText.push(exact)
      else left.push(condition)
      const query = exact === undefined ? implied(condition, names) : undefined
      if (query && filter.length < queriesMax) filter.push(query)
    }
    const condition = joined(left)
    if (condition) rest.push({ ...command, condition })
    past.push(command.command)
  }
  return { filter, fullText, rest }
}

/** Whether a command leaves rows as they are; the names it gives to something else are no fields any more. */
function keepsRows(command: Command, hidden: Set<string>): boolean {
  switch (command.command) {
    case 'where':
    case 'keep':
    case 'drop':
    case 'sort':
      return true
    case 'eval':
      for (const { name } of command.fields) hidden.add(name)
      return true
    case 'rename':
      for (const { from, to } of command.renames) for (const name of [from.name, to.name]) hidden.add(name)
      return true
    default:
      return false
  }
}

function conjuncts(condition: Expression): readonly Expression[] {
  return condition.kind === 'and' ? [condition.left, condition.right].flatMap(conjuncts) : [condition]
}

function joined(conditions: readonly Expression[]): Expression | undefined {
  const [first, ...others] = conditions
  if (!first) return undefined
  return others.reduce((left, right) => ({ kind: 'and', left, right, from: left.from, to: right.to }), first)
}

/** The query that finds what a condition of nothing but full text finds; undefined for all others. */
function exactly(condition: Expression, known: Names): Query | undefined {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const sides = [condition.left, condition.right].flatMap((side) => exactly(side, known) ?? [])
      if (sides.length < 2) return undefined
      return { bool: condition.kind === 'and' ? { must: sides } : { should: sides, minimum_should_match: 1 } }
    }
    case 'not': {
      const inner = exactly(condition.of, known)
      return inner && { bool: { must_not: inner } }
    }
    default:
      return known.fullText(condition) as Query | undefined
  }
}

/** A query that all documents meet which meet a condition; undefined where none is known. */
function implied(condition: Expression, known: Names): Query | undefined {
  switch (condition.kind) {
    case 'and': {
      const sides = [condition.left, condition.right].flatMap((side) => implied(side, known) ?? [])
      return sides.length === 0 ? undefined : { bool: { filter: sides } }
    }
    case 'or': {
      const sides = [condition.left, condition.right].map((side) => exactly(side, known) ?? implied(side, known))
      return sides.includes(undefined) ? undefined : { bool: { should: sides, minimum_should_match: 1 } }
    }
    case 'comparison':
      return compared(condition, known)
    case 'in':
      return oneOf(condition, known)
    case 'isNull':
      return condition.negated && condition.of.kind === 'name' && known.typeOf(condition.of.name)
        ? { exists: { field: condition.of.name } }
        : undefined
    default:
      return undefined
  }
}

const turned: Readonly<Record<Comparison, Comparison>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

function compared(
  { op, left, right }: Extract<Expression, { readonly kind: 'comparison' }>,
  known: Names,
): Query | undefined {
  if (left.kind === 'literal' && right.kind === 'name')
    return fieldQuery(right.name, turned[op], left.value, known.typeOf(right.name))
  if (left.kind === 'name' && right.kind === 'literal')
    return fieldQuery(left.name, op, right.value, known.typeOf(left.name))
  return undefined
}

const bounds = { '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte', '==': 'gte', '!=': 'gte' } as const satisfies Record<
  Comparison,
  string
>

/** Bounds of moments include their ends: what is finer than a millisecond stands within. */
function fieldQuery(field: string, op: Comparison, value: Literal, type: EsqlType | undefined): Query | undefined {
  const said = type === undefined || op === '!=' ? undefined : queryValue(value, type)
  if (said === undefined || type === undefined) return undefined
  const isMoment = dateTypes.includes(type)
  if (op === '==' && !isMoment) return { term: { [field]: said } }
  // A nanosecond after the bound lies beyond it, though its millisecond does not.
  if (type === 'date_nanos' && !op.startsWith('>')) return undefined
  if (op === '==') return { range: { [field]: { gte: said, lte: said, format: 'epoch_millis' } } }
  if (type === 'keyword' || type === 'version' || type === 'boolean') return undefined
  if (isMoment) return { range: { [field]: { [op.startsWith('>') ? 'gte' : 'lte']: said, format: 'epoch_millis' } } }
  return { range: { [field]: { [bounds[op]]: said } } }
}

function oneOf({ of, among }: Extract<Expression, { readonly kind: 'in' }>, known: Names): Query | undefined {
  const type = of.kind === 'name' ? known.typeOf(of.name) : undefined
  if (of.kind !== 'name' || type === undefined || dateTypes.includes(type)) return undefined
  const values = among.map((each) => (each.kind === 'literal' ? queryValue(each.value, type) : undefined))
  return values.includes(undefined) || values.length > 10_000 ? undefined : { terms: { [of.name]: values } }
}

/** A literal as a query over a field of that type has it; undefined where the query would say something else, or not be one. */
function queryValue(value: Literal, type: EsqlType): string | number | boolean | undefined {
  switch (type) {
    case 'keyword':
    case 'version':
      return typeof value === 'string' ? value : undefined
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
    case 'integer':
      // A query refuses what no value of the field can be.
      return typeof value === 'bigint' && BigInt.asIntN(32, value) === value ? Number(value) : undefined
    case 'long':
    case 'double':
      // Beyond what JSON's numbers hold a query would round.
      return typeof value === 'bigint' && Number.isSafeInteger(Number(value))
        ? Number(value)
        : typeof value === 'number' && type === 'double'
          ? value
          : undefined
    case 'date':
    case 'date_nanos': {
      const moment = typeof value === 'string' ? readMoment(value) : undefined
      return moment === undefined ? undefined : Number(moment / 1_000_000n)
    }
    default:
      return undefined
  }
}
