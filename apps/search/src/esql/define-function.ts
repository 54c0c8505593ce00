import type { Literal, Place } from '@logstack/esql'
import { isBrief } from '../sql/once.ts'
import { ident, join, type Sql, sql } from '../sql/sql.ts'
import { type Fault, firstReason, severalReason } from './faults.ts'
import { asDouble, implicitly } from './implicit-casts.ts'
import { atPlaceOf, ReadingProblem } from './problems.ts'
import { type EsqlType, numericTypes, shownType, stringTypes } from './types.ts'
import { made, nullOf, refuse, single, type Value } from './value.ts'

/** A parameter of a function. */
export interface FunctionParameter {
  readonly name: string
  readonly types: readonly EsqlType[]
  /** What the types are called in messages where that is not their list (`numeric`). */
  readonly shown?: string
  /** May be left out, as may all after it. */
  readonly optional?: true
  /** Takes all arguments from here on, at least one unless it is optional. */
  readonly rest?: true
  /** Must stand in the query itself: the function reads `literal` of it. */
  readonly constant?: true
  /** Takes options in braces; one without types takes nothing else. */
  readonly options?: true
  /** Takes all values of a list (`several`), not only a single one. */
  readonly many?: true
}

/** What a function is called with, once its arguments fit its parameters. */
export interface FunctionCall extends Place {
  /** The arguments as expressions of single values, perhaps NULL; of `many` parameters lists. */
  readonly sql: readonly Sql[]
  readonly values: readonly Value[]
  readonly text: string
  readonly nowMs: number
  /** The fields of the indices that are still columns, with their types. */
  fieldTypes(): ReadonlyMap<string, EsqlType>
  /** The full text query that a row matches or not, as 1 or 0. */
  matches(query: unknown): Sql
}

/** What a function answers where that depends on its arguments. */
export interface Answer {
  readonly type: EsqlType
  readonly sql: Sql
  readonly many?: boolean
  /** What it is in every row, where that is known of spans. */
  readonly literal?: Literal
}

/** A scalar function: its parameters, and the expression of the engine that it comes to. */
export interface EsqlFunction {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly params: readonly FunctionParameter[]
  /** Whether a NULL among the arguments is handed on; otherwise what is null in every row makes the answer null. */
  readonly takesNull?: true
  /** Whether the answer is of the type of the first argument, so that of a null it has no type either. */
  readonly ofItsArgument?: true
  /** Whether an argument may not be asked at all: what is wrong in it is told of no row. */
  readonly isLazy?: true
  /** Why a call has no value though its arguments have one: '' or NULL where that is no fault. */
  readonly fault?: ((call: FunctionCall, answer: Answer) => Sql | undefined) | undefined
  /** The same of each value of a list that is converted, as a list. */
  readonly faults?: ((call: FunctionCall) => Sql | undefined) | undefined
  /** Whether fields are searched and not read: also those whose texts no column holds. */
  readonly searches?: true
  compile(call: FunctionCall): Answer
}

/** Declares a scalar function of ES|QL. */
export function defineFunction(definition: EsqlFunction): EsqlFunction {
  return definition
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh']

type Called = Pick<FunctionCall, 'from' | 'to' | 'text' | 'nowMs' | 'fieldTypes' | 'matches'> & {
  readonly note?: ((fault: Fault) => void) | undefined
}

/** Checks arguments against parameters and compiles the call. Throws `Problem`. */
export function callFunction(called: EsqlFunction, given: readonly Value[], call: Called): Value {
  return atPlaceOf(call, () => answerOf(called, given, call))
}

function answerOf(
  { name, params, takesNull, ofItsArgument, compile, fault, faults }: EsqlFunction,
  given: readonly Value[],
  call: Called,
): Value {
  const values = checkArguments({ name, params }, given, call)
  const isNull = values.some((value) => value.type === 'null')
  if (ofItsArgument && values[0]?.type === 'null') return made(call, 'null', nullOf('null'))
  if (isNull && takesNull !== true) {
    const typed = values.map((value, at) =>
      value.type === 'null' ? { ...value, type: paramAt(params, at).types[0] ?? 'null' } : value,
    )
    const { type, many = false } = compile({ ...call, sql: typed.map(({ type: each }) => nullOf(each)), values: typed })
    return { ...made(call, type, nullOf(type, many), many) }
  }
  const answer = compiled({ params, compile }, { ...call, values })
  const { type, sql: cell, many = false, literal } = answer
  if (call.note) noteFaults({ params, fault, faults }, { ...call, values }, answer)
  return { ...made(call, type, cell, many), ...(literal === undefined ? {} : { literal }) }
}

function noteFaults(
  { params, fault, faults }: Pick<EsqlFunction, 'params' | 'fault' | 'faults'>,
  call: Called & { readonly values: readonly Value[] },
  answer: Answer,
): void {
  const several = severalReason(call.values.filter((_, at) => paramAt(params, at).many !== true))
  const args = call.values.map((value, at) => (paramAt(params, at).many ? value.sql : single(value)))
  const list = faults?.({ ...call, sql: args })
  if (list) call.note?.({ from: call.from, to: call.to, text: call.text, reason: list, many: true })
  const reason = firstReason([several, fault?.({ ...call, sql: args }, answer)])
  if (reason) call.note?.({ from: call.from, to: call.to, text: call.text, reason })
}

/** What a call comes to, each argument once in its text: what a function mentions several times stands under a name, or nested calls would double with each level. */
function compiled(
  { params, compile }: Pick<EsqlFunction, 'params' | 'compile'>,
  call: Omit<FunctionCall, 'sql'>,
): Answer {
  const argsOf = (values: readonly Value[]) =>
    values.map((value, at) => (paramAt(params, at).many ? value.sql : single(value)))
  const answer = compile({ ...call, sql: argsOf(call.values) })
  const names = call.values.map((value, at) =>
    isBrief(value.sql) || value.literal !== undefined || !standsTwice(answer.sql.text, value.sql.text)
      ? undefined
      : ident(`arg${at}`),
  )
  const given = names.flatMap((name, at) => (name ? [{ name, of: call.values[at]?.sql ?? name }] : []))
  if (given.length === 0) return answer
  const values = call.values.map((value, at) => ({ ...value, sql: names[at] ?? value.sql }))
  const { sql: cell, ...rest } = compile({ ...call, sql: argsOf(values), values })
  const named = join(
    given.map(({ name }) => name),
    ', ',
  )
  const lists = join(
    given.map(({ of }) => sql`[${of}]`),
    ', ',
  )
  return { ...rest, sql: sql`arrayMap((${named}) -> ${cell}, ${lists})[1]` }
}

function standsTwice(text: string, part: string): boolean {
  const first = text.indexOf(part)
  return first >= 0 && text.includes(part, first + part.length)
}

/** Arguments as a function's parameters take them. Throws `Problem` for a wrong number, a wrong type, or what is no constant. */
export function checkArguments(
  { name, params }: Pick<EsqlFunction, 'name' | 'params'>,
  given: readonly Value[],
  call: Place & { readonly text: string },
): readonly Value[] {
  checkCount(name, params, given.length, call)
  return given.map((value, at) => fitted(paramAt(params, at), value, { at, count: given.length, text: call.text }))
}

/** The parameter of an argument by its place. */
function paramAt(params: readonly FunctionParameter[], at: number): FunctionParameter {
  const param = params[at] ?? params.at(-1)
  if (!param) throw new Error('BUG: a call without parameters has no arguments')
  return param
}

function checkCount(
  name: string,
  params: readonly FunctionParameter[],
  count: number,
  at: Place & { readonly text: string },
): void {
  const least = params.filter(({ optional }) => optional !== true).length
  const most = params.at(-1)?.rest ? Number.POSITIVE_INFINITY : params.length
  if (count >= least && count <= most) return
  const takes =
    most === Number.POSITIVE_INFINITY
      ? `at least ${words(least)}`
      : least === most
        ? `exactly ${words(least)}`
        : `${least === most - 1 ? `${spelled(least)} or ${words(most)}` : `between ${spelled(least)} and ${words(most)}`}`
  throw new ReadingProblem(at.from, `error building [${name}]: expects ${takes}`)
}

function spelled(count: number): string {
  return ['no', 'one', 'two', 'three', 'four', 'five'][count] ?? String(count)
}

function words(count: number): string {
  return `${spelled(count)} argument${count === 1 ? '' : 's'}`
}

function fitted(
  param: FunctionParameter,
  value: Value,
  { at, count, text }: { readonly at: number; readonly count: number; readonly text: string },
): Value {
  const which = count === 1 ? '' : `${ordinals[at] ?? `${at + 1}th`} `
  if (param.constant && value.literal === undefined)
    refuse(value, `${which}argument of [${text}] must be a constant, received [${value.text}]`)
  if (param.options && value.options) return value
  if (param.options && param.types.length === 0)
    refuse(value, `${which}argument of [${text}] must be a map expression, received [${value.text}]`)
  if (value.type === 'null' || param.types.includes(value.type)) return value
  const cast = implicitly(value, param.types) ?? asDouble(value, param.types)
  if (cast) return cast
  return refuse(
    value,
    `${which}argument of [${text}] must be [${param.shown ?? shownTypes(param.types)}], found value [${value.text}] type [${shownType(value.type)}]`,
  )
}

/** A list of types as messages show it. */
function shownTypes(types: readonly EsqlType[]): string {
  if (numericTypes.every((type) => types.includes(type)) && types.length === numericTypes.length) return 'numeric'
  if (types.every((type) => stringTypes.includes(type))) return 'string'
  const shown = [...new Set(types.map((type) => (stringTypes.includes(type) ? 'string' : shownType(type))))]
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`
}

/** The text of a constant argument. */
export function textOf(value: Value | undefined): string {
  const literal: Literal | undefined = value?.literal
  return typeof literal === 'string' ? literal : ''
}
