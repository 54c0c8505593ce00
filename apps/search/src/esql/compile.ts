import type { Expression, Place } from '@logstack/esql'
import { didYouMean } from '../refusals/did-you-mean.ts'
import { boundOnce } from '../sql/once.ts'
import { join, sql } from '../sql/sql.ts'
import { aggregateFunctions } from './aggregates/index.ts'
import { callFunction, type FunctionCall } from './define-function.ts'
import type { Fault } from './faults.ts'
import { scalarFunctions } from './functions/index.ts'
import { among, calculate, compare, inverted, like, negate, truth } from './operators.ts'
import { ProblemInPlace, ReadingProblem } from './problems.ts'
import type { EsqlType } from './types.ts'
import { literalValue, made, refuse, type Value } from './value.ts'

/** What an expression is compiled against. */
export interface Surroundings {
  /** The whole query. */
  readonly text: string
  readonly nowMs: number
  /** The column of that name, or one that is searched and not read; throws `Problem` where there is none. */
  column(name: string, at: Place, isSearched?: boolean): Value
  /** The values of a column by each type that the indices map it as; none where they agree. */
  variants(name: string, at: Place): readonly Value[]
  /** Rows that a full text query finds, as 1 or 0; undefined where rows are no documents any more. */
  readonly matches: ((query: unknown) => FunctionCall['sql'][number]) | undefined
  /** Where the command stands that asks. */
  readonly command?: Place
  /** The commands before. */
  readonly past: readonly string[]
  /** The fields of the indices that are still columns, with their types. */
  fieldTypes(): ReadonlyMap<string, EsqlType>
  /** Whether rows are grouped by the expression: only then grouping functions may stand. */
  readonly groups?: boolean
  /** What an expression is that was computed before; undefined for all others. */
  known?(expression: Expression): Value | undefined
  /** Takes down what may leave rows without a value; undefined where nobody tells of it. */
  readonly note?: ((fault: Fault) => void) | undefined
  /** What an aggregate comes to; undefined where none may stand. */
  readonly aggregate?: ((call: Extract<Expression, { kind: 'call' }>) => Value) | undefined
}

/** The function that each `::type` stands for. */
const casts: Readonly<Record<string, string>> = {
  bool: 'to_boolean',
  boolean: 'to_boolean',
  int: 'to_integer',
  integer: 'to_integer',
  long: 'to_long',
  unsigned_long: 'to_unsigned_long',
  ul: 'to_unsigned_long',
  double: 'to_double',
  dbl: 'to_double',
  string: 'to_string',
  keyword: 'to_string',
  text: 'to_string',
  str: 'to_string',
  datetime: 'to_datetime',
  date: 'to_datetime',
  dt: 'to_datetime',
  date_nanos: 'to_date_nanos',
  geo_point: 'to_geopoint',
  ip: 'to_ip',
  version: 'to_version',
  ver: 'to_version',
  date_period: 'to_dateperiod',
  time_duration: 'to_timeduration',
}

/** Types that Elasticsearch knows and makes no value into. */
const unconverted: ReadonlySet<string> = new Set([
  'byte',
  'counter_double',
  'counter_integer',
  'counter_long',
  'float',
  'half_float',
  'object',
  'scaled_float',
  'short',
  'unsupported',
])

const castNames: ReadonlySet<string> = new Set(Object.values(casts))

/** Functions that only say what rows are grouped by. */
const groupingNames: ReadonlySet<string> = new Set(['bucket', 'bin'])

function unknownFunction(name: string): string {
  const known = [...scalarFunctions.keys(), ...aggregateFunctions.keys()]
  const meant = didYouMean(name, known, { isJustEnough: true })
  return `Unknown function [${name}]${meant === '' ? '' : `,${meant}`}`
}

/** Compiles an expression to a value of the engine. Throws `Problem`. */
export function compile(expression: Expression, around: Surroundings): Value {
  const at = placeIn(expression, around)
  const known = around.known?.(expression)
  if (known) return { ...known, ...at }
  const inner = (each: Expression) => compile(each, around)
  const noted = { ...at, note: around.note }
  switch (expression.kind) {
    case 'literal':
      return literalValue(expression.value, at, at.text)
    case 'name':
      return { ...around.column(expression.name, at), ...at }
    case 'star':
      return refuse(at, 'Cannot use [*] as an expression')
    case 'options':
      return { ...made(at, 'unsupported', sql`NULL`), options: new Map(expression.entries) }
    case 'and':
    case 'or':
      return junction(expression, around, at)
    case 'not':
      return inverted(noted, inner(expression.of))
    case 'negative':
      return negate(noted, inner(expression.of))
    case 'comparison':
      return compare(noted, expression.op, [inner(expression.left), inner(expression.right)])
    case 'arithmetic':
      return calculate(noted, expression.op, [inner(expression.left), inner(expression.right)])
    case 'in':
      return among(noted, inner(expression.of), expression.among.map(inner))
    case 'isNull':
      return isNull(inner(expression.of), expression.negated, at)
    case 'like':
    case 'rlike':
      return like(noted, expression.kind, inner(expression.of), expression.patterns.map(inner))
    default:
      return called(expression, around, at)
  }
}

type At = Place & { readonly text: string }
type Junction = Extract<Expression, { readonly kind: 'and' | 'or' }>

/** Where an expression stands, without brackets around all of it. */
function placeIn({ from, to }: Place, { text }: Pick<Surroundings, 'text'>): At {
  const written = text.slice(from, to)
  if (!isBracketed(written)) return { from, to, text: written }
  const inner = written.slice(1, -1)
  const begin = from + 1 + (inner.length - inner.trimStart().length)
  return placeIn({ from: begin, to: begin + inner.trim().length }, { text })
}

function isBracketed(text: string): boolean {
  if (!text.startsWith('(')) return false
  let depth = 0
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|`[^`]*`|[()]/gsu)) {
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
    // The first bracket is closed by the last letter, or earlier.
    if (depth === 0) return index === text.length - 1
  }
  return false
}

function called(
  expression: Extract<Expression, { readonly kind: 'call' | 'cast' | 'match' }>,
  around: Surroundings,
  at: At,
): Value {
  if (expression.kind === 'match') return call('match', [expression.of, expression.query], around, at)
  if (expression.kind === 'cast') {
    const name = Object.hasOwn(casts, expression.type) ? casts[expression.type] : undefined
    const type = expression.type.toLowerCase()
    if (name === undefined && unconverted.has(type))
      throw new ReadingProblem(at.from, `Unsupported conversion to type [${type.toUpperCase()}]`)
    if (name === undefined)
      throw new ReadingProblem(at.to - expression.type.length, `Unknown data type named [${expression.type}]`)
    return call(name, [expression.of], around, at)
  }
  if (aggregateFunctions.has(expression.name)) {
    if (around.aggregate) return around.aggregate(expression)
    refuse(at, `aggregate function [${at.text}] not allowed outside STATS command`)
  }
  return call(expression.name, expression.args, around, at)
}

function call(name: string, args: readonly Expression[], around: Surroundings, at: At): Value {
  const found = scalarFunctions.get(name)
  if (!found) return refuse(at, unknownFunction(name))
  if (groupingNames.has(name) && !around.groups)
    refuse(
      at,
      around.aggregate
        ? `can only use grouping function [${at.text}] as part of the BY clause`
        : `cannot use grouping function [${at.text}] outside of a STATS command`,
    )
  const [first] = args
  const variants = castNames.has(name) && first?.kind === 'name' ? around.variants(first.name, first) : []
  if (variants.length > 0)
    return united(
      variants.map((each) => callFunction(found, [each], { ...at, ...around, matches: matcher(name, around, at) })),
      at,
    )
  const values = args.map((each, which) => {
    // What is searched is the field, whatever its values are cast to.
    const field = found.searches && each.kind === 'cast' ? each.of : each
    return found.searches && field.kind === 'name'
      ? { ...around.column(field.name, field, true), ...placeIn(each, around) }
      : compile(each, found.isLazy && which > 0 ? { ...around, note: undefined } : around)
  })
  const { nowMs, fieldTypes, note } = around
  return callFunction(found, values, { ...at, nowMs, fieldTypes, matches: matcher(name, around, at), note })
}

/** One value of those that rows of several indices have, each of one of them. */
function united(values: readonly Value[], at: At): Value {
  const type = values[0]?.type ?? 'null'
  const many = values.some((value) => value.many)
  if (!many)
    return made(
      at,
      type,
      sql`coalesce(${join(
        values.map((value) => value.sql),
        ', ',
      )})`,
    )
  const lists = values.map((value) =>
    value.many ? value.sql : boundOnce('u', value.sql, (one) => sql`if(isNull(${one}), [], [assumeNotNull(${one})])`),
  )
  return made(at, type, sql`arrayConcat(${join(lists, ', ')})`, true)
}

/** What asks a full text query of rows, as long as they are documents. */
function matcher(name: string, { matches, past, command }: Surroundings, at: At): FunctionCall['matches'] {
  return (query) => {
    const lost = past.find((command) => !mayFollow(name, command))
    if (matches && lost === undefined) return matches(query)
    const after = lost === undefined ? 'the rows of an index were changed' : lost.toUpperCase()
    const called =
      name === 'match' && !/^match\s*\(/iu.test(at.text) ? '[:] operator' : `[${name.toUpperCase()}] function`
    throw new ProblemInPlace((command ?? at).from, `${called} cannot be used after ${after}`)
  }
}

/** As documented: queries that name their fields themselves stand right behind their source, others anywhere before rows are counted or cut. */
function mayFollow(name: string, command: string): boolean {
  if (name === 'qstr' || name === 'kql') return ['where', 'sort'].includes(command)
  return command !== 'stats' && command !== 'limit'
}

/** A chain of one kind is written flat: the engine reads brackets only so deep. */
function junction(expression: Junction, around: Surroundings, at: At): Value {
  const members: Expression[] = []
  let left: Expression = expression
  for (; left.kind === expression.kind; left = left.left) members.push(left.right)
  return together(expression.kind, told([left, ...members.reverse()].map((side) => compile(side, around))), at)
}

/** Without what stands twice in a row. */
function told(sides: readonly Value[]): readonly Value[] {
  return sides.filter(({ sql: { text } }, place) => place === 0 || text !== sides[place - 1]?.sql.text)
}

/** Truths that hold together, or one of which does; what says nothing is left out, and what is left alone is what it was. */
function together(kind: 'and' | 'or', all: readonly Value[], at: At): Value {
  for (const [place, side] of all.entries()) truth(side, at, place === 0 ? 'first ' : 'second ')
  // What is certain of one is certain of all, whatever the others are.
  const certain = all.find(({ type, literal }) => type === 'boolean' && literal === (kind === 'or'))
  if (certain) return { ...certain, ...at }
  const sides = all.filter(({ type, literal }) => type !== 'boolean' || literal !== (kind === 'and'))
  const [first = all[0], ...others] = sides
  if (!first) throw new Error('BUG: a junction has sides')
  if (others.length === 0 && first.type === 'boolean') return { ...first, ...at }
  const by = kind === 'and' ? ' AND ' : ' OR '
  if (!sides.some(({ many }) => many))
    return made(
      at,
      'boolean',
      sql`(${join(
        [first, ...others].map((side) => truth(side, at)),
        by,
      )})`,
    )
  // Of several truths nothing is known, whatever stands beside them.
  const several = ({ many, sql: value }: Value) => (many ? sql`length(${value}) > 1` : sql`false`)
  return others.reduce<Value>((left, right) => {
    const both = sql`(${join([truth(left, at), truth(right, at)], by)})`
    return made(at, 'boolean', sql`if(${several(left)} OR ${several(right)}, NULL, ${both})`)
  }, first)
}

function isNull(of: Value, negated: boolean, at: At): Value {
  if (of.type === 'null') return made(at, 'boolean', negated ? sql`false` : sql`true`)
  const absent = of.many ? sql`empty(${of.sql})` : sql`isNull(${of.sql})`
  return made(at, 'boolean', negated ? sql`(NOT ${absent})` : absent)
}
