import { all, type Predicate } from '@logstack/rules'
import { z } from 'zod'
import { illegalArgument, javaEnum, parsingError, readStrictly } from '../../refusals/refuse.ts'
import type { Score } from '../../scores/score.ts'
import type { ScoreFunction, ScoreFunctions } from '../../scores/score-functions.ts'
import { defineQuery, type LowerContext } from '../define-query.ts'
import { describedBy } from '../shapes/one-field.ts'
import { clauseParameters, decimal } from '../shapes/scalars.ts'
import { functionList, scoreFunctionReaders } from '../shapes/score-function.ts'

type ReadFunction = (context: LowerContext) => ScoreFunction
const functionNames = new Set(Object.keys(scoreFunctionReaders))
const frame = z.strictObject({
  query: z.unknown().optional(),
  functions: z.array(z.record(z.string(), z.unknown())).optional(),
  weight: decimal.optional(),
  score_mode: javaEnum(
    ['multiply', 'sum', 'avg', 'first', 'max', 'min'],
    `${functionList}.FunctionScoreQuery.ScoreMode`,
  ).optional(),
  boost_mode: javaEnum(
    ['multiply', 'replace', 'sum', 'avg', 'max', 'min'],
    `${functionList}.CombineFunction`,
  ).optional(),
  max_boost: decimal.optional(),
  min_score: decimal.optional(),
  ...clauseParameters,
})

const read = z.unknown().transform((body) => {
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    throw parsingError('[function_score] query malformed, no start_object after query name')
  const single = Object.entries(body).filter(([key]) => functionNames.has(key))
  const unknown = Object.keys(body).find((key) => !functionNames.has(key) && !Object.hasOwn(frame.shape, key))
  if (unknown !== undefined)
    throw parsingError(`failed to parse [function_score] query. field [${unknown}] is not supported`)
  const rest = readStrictly(
    frame,
    Object.fromEntries(Object.entries(body).filter(([key]) => !functionNames.has(key))),
    'function_score',
    'query',
  )
  if (single.length > 1 || (single.length > 0 && rest.functions !== undefined))
    throw parsingError(
      `failed to parse [function_score] query. already found function [${single[0]?.[0]}], now encountering [${rest.functions ? 'functions' : single[1]?.[0]}].`,
    )
  const functions = (rest.functions ?? []).map(readFunction)
  if (single.length > 0) functions.push(readFunction({ ...Object.fromEntries(single), weight: rest.weight }))
  else if (rest.functions === undefined && rest.weight !== undefined)
    functions.push(readFunction({ weight: rest.weight }))
  return { ...rest, functions }
})
const schema = describedBy(read, frame)

/** `function_score`: the documents of its query, scored anew by functions of their fields. */
export const functionScore = defineQuery({
  name: 'function_score',
  schema,
  lower({ query, functions, min_score: least }, context): Predicate {
    for (const read of functions) read(context)
    if (least !== undefined) context.scoresAtLeast(least)
    return query === undefined ? all : context.lower(query)
  },
  score({ query, functions, ...modes }, context): Score {
    const inner: Score = query === undefined ? { op: 'constant', value: 1, when: all } : context.score(query)
    context.computed.scoredBy(inner)
    const of: ScoreFunctions = {
      of: functions.map((read) => read(context)),
      scoreMode: modes.score_mode ?? 'multiply',
      boostMode: modes.boost_mode ?? 'multiply',
      boostMax: modes.max_boost ?? 3.402_823_466_385_288_6e38,
    }
    return { op: 'functions', functions: of, when: query === undefined ? all : context.lower(query), of: inner }
  },
})

function readFunction(given: Readonly<Record<string, unknown>>): ReadFunction {
  const { filter, weight, ...rest } = given
  const [first, second] = Object.entries(rest)
  if (second)
    throw parsingError(
      `failed to parse function_score functions. already found [${first?.[0]}], now encountering [${second[0]}].`,
    )
  const read = first && Object.hasOwn(scoreFunctionReaders, first[0]) ? scoreFunctionReaders[first[0]] : undefined
  if (first && !read) throw parsingError(`[${first[0]}] is no function of [function_score]`)
  if (!first && weight === undefined)
    throw parsingError('failed to parse [function_score] query. an entry in functions list is missing a function.')
  const value = first && read ? read(first[1]) : undefined
  const worth = weight === undefined ? 1 : readStrictly(decimal, weight, 'function_score', 'query')
  if (worth < 0) throw illegalArgument('[weight] cannot be negative for a filtering function')
  return (context) => ({
    when: filter === undefined ? all : context.lowerUnshown(filter),
    weight: worth,
    ...(value ? { value: value(context) } : {}),
  })
}
