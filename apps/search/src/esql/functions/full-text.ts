import { isAppError } from '@logstack/errors'
import type { Literal } from '@logstack/esql'
import { kqlToQuery, parseKql } from '@logstack/kql'
import { sql } from '../../sql/sql.ts'
import {
  type Answer,
  defineFunction,
  type EsqlFunction,
  type FunctionCall,
  type FunctionParameter,
} from '../define-function.ts'
import { ProblemInPlace } from '../problems.ts'
import { comparableTypes, type EsqlType, numericTypes, stringTypes } from '../types.ts'
import { refuse, type Value } from '../value.ts'
import {
  kqlOptions,
  matchOptions,
  multiMatchOptions,
  optionsOf,
  phraseOptions,
  queryStringOptions,
} from './full-text-options.ts'

/** What can be looked for in a field: all that can stand in a query but spans of time. */
const searchedTypes = comparableTypes
const phraseTypes = comparableTypes.filter((type) => !numericTypes.includes(type))

/** What the function is called in messages: `:` is the operator of `match`. */
function shownName(call: FunctionCall, name: string): string {
  return name === 'match' && !/^match\s*\(/iu.test(call.text) ? '[:] operator' : `[${name.toUpperCase()}] function`
}

/** The field that a value is. Throws `Problem` for what a query made. */
function fieldOf(call: FunctionCall, value: Value | undefined, name: string): string {
  if (value?.field !== undefined) return value.field
  throw new ProblemInPlace(
    (value ?? call).from,
    `${shownName(call, name)} cannot operate on [${value?.text ?? ''}], which is not a field from an index mapping`,
  )
}

/** What is looked for, as the DSL takes it. Throws `Problem` where nothing is. */
function queryOf(call: FunctionCall, value: Value | undefined, which: string): string | number | boolean {
  const { literal } = value ?? {}
  if (value?.type === 'null' || literal === null)
    refuse(value ?? call, `${which}argument of [${call.text}] cannot be null, received [${value?.text ?? 'null'}]`)
  if (typeof literal === 'string' || typeof literal === 'number' || typeof literal === 'boolean') return literal
  // Whole numbers beyond 2^53 keep all their digits as a text.
  if (typeof literal === 'bigint') return Number.isSafeInteger(Number(literal)) ? Number(literal) : String(literal)
  return refuse(
    value ?? call,
    `${which}argument of [${call.text}] must be a constant, received [${value?.text ?? call.text}]`,
  )
}

/** Whether a row is found, as a truth. */
function found(call: FunctionCall, query: unknown): Answer {
  return { type: 'boolean', sql: sql`(${call.matches(query)} = 1)` }
}

function fieldAndQuery(types: readonly EsqlType[]): EsqlFunction['params'] {
  return [
    { name: 'field', types, many: true },
    { name: 'query', types, constant: true },
    { name: 'options', types: [], options: true, optional: true },
  ]
}

const match = defineFunction({
  name: 'match',
  params: fieldAndQuery(searchedTypes),
  searches: true,
  takesNull: true,
  compile(call) {
    const [field, query, options] = call.values
    const path = fieldOf(call, field, 'match')
    // As in Elasticsearch, a text that is no number finds nothing in a field of numbers.
    const body = { lenient: true, ...optionsOf(call, options, matchOptions), query: queryOf(call, query, 'second ') }
    return found(call, { match: { [path]: body } })
  },
})

const matchPhrase = defineFunction({
  name: 'match_phrase',
  params: fieldAndQuery(phraseTypes),
  searches: true,
  takesNull: true,
  compile(call) {
    const [field, query, options] = call.values
    const path = fieldOf(call, field, 'match_phrase')
    const body = { ...optionsOf(call, options, phraseOptions), query: queryOf(call, query, 'second ') }
    return found(call, { match_phrase: { [path]: body } })
  },
})

const multiMatch = defineFunction({
  name: 'multi_match',
  params: [
    { name: 'query', types: searchedTypes, constant: true },
    { name: 'fields', types: searchedTypes, many: true, options: true, rest: true },
  ],
  searches: true,
  takesNull: true,
  compile(call) {
    const [query, ...rest] = call.values
    const options = rest.at(-1)?.options ? rest.at(-1) : undefined
    const fields = (options ? rest.slice(0, -1) : rest).map((each) => fieldOf(call, each, 'multi_match'))
    if (fields.length === 0) refuse(call, 'error building [multi_match]: expects at least two arguments')
    const body = {
      lenient: true,
      ...optionsOf(call, options, multiMatchOptions),
      query: queryOf(call, query, 'first '),
    }
    return found(call, { multi_match: { ...body, fields } })
  },
})

/** What functions take whose text names its fields itself. */
const queryAndOptions: readonly FunctionParameter[] = [
  { name: 'query', types: stringTypes, constant: true },
  { name: 'options', types: [], options: true, optional: true },
]

const qstr = defineFunction({
  name: 'qstr',
  params: queryAndOptions,
  takesNull: true,
  compile(call) {
    const [query, options] = call.values
    const which = options ? 'first ' : ''
    const body = { ...optionsOf(call, options, queryStringOptions), query: String(queryOf(call, query, which)) }
    return found(call, { query_string: body })
  },
})

const kql = defineFunction({
  name: 'kql',
  params: queryAndOptions,
  takesNull: true,
  compile(call) {
    const [query, options] = call.values
    const text = String(queryOf(call, query, options ? 'first ' : ''))
    const { time_zone: timeZone } = optionsOf(call, options, kqlOptions)
    const context = { types: call.fieldTypes(), ...(typeof timeZone === 'string' ? { timeZone } : {}) }
    return found(call, kqlToQuery(readKql(query ?? call, text), context))
  },
})

function readKql(at: Value | FunctionCall, text: string): ReturnType<typeof parseKql> {
  try {
    return parseKql(text)
  } catch (thrown) {
    if (isAppError(thrown)) refuse(at, `Failed to parse KQL query [${text}]: ${thrown.message}`)
    throw thrown
  }
}

const term = defineFunction({
  name: 'term',
  params: [
    { name: 'field', types: stringTypes, many: true },
    { name: 'query', types: stringTypes, constant: true },
  ],
  searches: true,
  takesNull: true,
  compile(call) {
    const [field, query] = call.values
    const path = fieldOf(call, field, 'term')
    const value: Literal = queryOf(call, query, 'second ')
    return found(call, { term: { [path]: { value } } })
  },
})

/** Functions that ask a full text query of the documents of an index. */
export const fullTextFunctions: readonly EsqlFunction[] = [match, matchPhrase, multiMatch, qstr, kql, term]
