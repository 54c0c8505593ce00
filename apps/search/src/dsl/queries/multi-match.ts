import { AppError, searchErrors } from '@logstack/errors'
import { and, none, or, type Predicate, tokenize } from '@logstack/rules'
import { z } from 'zod'
import { jsonToken } from '../../json/json-token.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import { parsingError, refusing } from '../../refusals/refuse.ts'
import { boosted, type Score, scoreOf, scoreOfPhrase } from '../../scores/score.ts'
import { defineQuery, type LowerContext } from '../define-query.ts'
import { boostedName, fieldList } from '../shapes/field-list.ts'
import { searchable } from '../shapes/field-value.ts'
import { matchParameters, nearnessOf } from '../shapes/match-parameters.ts'
import { wordsToMatch } from '../shapes/minimum-should-match.ts'
import { decimal, oneOrMany, scalar, whole } from '../shapes/scalars.ts'
import {
  atPlace,
  boolPrefixPredicate,
  type MatchOptions,
  matchPredicate,
  matchScore,
  phrasePredicate,
} from '../shapes/text-query.ts'
import { checkAnalyzer, placesOf, wordsOnly } from '../shapes/words.ts'

const schema = z.strictObject({
  ...matchParameters,
  query: refusing(scalar, (given) =>
    given === undefined
      ? parsingError('No text specified for multi_match query')
      : parsingError(`[multi_match] unknown token [${jsonToken(given)}] after [query]`),
  ),
  fields: oneOrMany(boostedName).optional(),
  type: refusing(
    z.enum(['best_fields', 'most_fields', 'cross_fields', 'phrase', 'phrase_prefix', 'bool_prefix']),
    (given) =>
      new AppError(
        searchErrors.parse_exception,
        `failed to parse [multi_match] query type [${String(given)}]. unknown type.`,
      ),
  ).optional(),
  slop: whole.optional(),
  tie_breaker: decimal.optional(),
})
type Body = z.infer<typeof schema>

/** `multi_match`: `match` (or a phrase) on several fields, one of which must match; `cross_fields` looks for each word in any of those with one analyzer. */
export const multiMatch = defineQuery({
  name: 'multi_match',
  schema,
  lower(body, context) {
    checkType(body)
    checkAnalyzer('multi_match', body.analyzer, context)
    const { fields, lenient } = fieldList(body.fields, context, body.lenient)
    if (body.type === 'cross_fields') return crossFields(fields, body, context)
    return or(fields.map((field) => onField(field, body, lenient, context)))
  },
  score(body, context) {
    const { fields, boosts, lenient } = fieldList(body.fields, context, body.lenient)
    const { tie_breaker: tie = 0, type } = body
    if (type !== 'cross_fields') {
      const scores = fields.map((field) =>
        boosted(scoreOnField(field, body, lenient, context), boosts.get(field.path) ?? 1),
      )
      return type === 'most_fields' || type === 'bool_prefix'
        ? { op: 'sum', of: scores }
        : { op: 'max', of: scores, tie }
    }
    const of = crossGroups(fields, body, context).map((group): Score => {
      const ofField = (word: CrossGroup['words'][number]) => (field: ResolvedField) =>
        boosted(scoreOf(word(field)), boosts.get(field.path) ?? 1)
      return { op: 'sum', of: group.words.map((word) => ({ op: 'max', of: group.fields.map(ofField(word)), tie })) }
    })
    return { op: 'max', of, tie }
  },
})

/** Parameters that mean nothing for the type are refused. */
function checkType({ type, fuzziness, slop }: Body): void {
  if (type === 'bool_prefix' && slop !== undefined) throw parsingError('[slop] not allowed for type [bool_prefix]')
  if (fuzziness !== undefined && (type === 'cross_fields' || type === 'phrase' || type === 'phrase_prefix'))
    throw parsingError(`Fuzziness not allowed for type [${type}]`)
}

function optionsOf(body: Body, lenient: boolean): MatchOptions {
  return {
    operator: body.operator,
    minimumShouldMatch: body.minimum_should_match,
    zeroTerms: body.zero_terms_query,
    lenient,
    near: nearnessOf(body),
    analyzer: body.analyzer,
    synonymPhrases: body.auto_generate_synonyms_phrase_query,
  }
}

function onField(field: ResolvedField, body: Body, lenient: boolean, context: LowerContext): Predicate {
  const { slop = 0, zero_terms_query: zeroTerms } = body
  switch (body.type) {
    case 'phrase':
    case 'phrase_prefix':
      return phrasePredicate(
        field,
        body.query,
        { slop, prefix: body.type === 'phrase_prefix', zeroTerms, lenient, analyzer: body.analyzer },
        context,
      )
    case 'bool_prefix':
      return boolPrefixPredicate(field, body.query, optionsOf(body, lenient), context)
    default:
      return matchPredicate(field, body.query, optionsOf(body, lenient), context)
  }
}

function scoreOnField(field: ResolvedField, body: Body, lenient: boolean, context: LowerContext): Score {
  switch (body.type) {
    case 'phrase':
    case 'phrase_prefix':
      return scoreOfPhrase(onField(field, body, lenient, context))
    case 'bool_prefix':
      return scoreOf(onField(field, body, lenient, context))
    default:
      return matchScore(field, body.query, optionsOf(body, lenient), context)
  }
}

/** Fields that cut a text alike, and the words they are looked through for, one after the other. */
interface CrossGroup {
  readonly fields: readonly ResolvedField[]
  readonly words: readonly ((field: ResolvedField) => Predicate)[]
}

/** As in Elasticsearch, only fields of one analyzer are one big field; all that are no text take the query as a single word. */
function crossGroups(fields: readonly ResolvedField[], body: Body, context: LowerContext): CrossGroup[] {
  const text = String(body.query)
  const word = (one: unknown) => (field: ResolvedField) => matchPredicate(field, one, { lenient: true }, context)
  if (body.analyzer !== undefined) return [{ fields, words: tokenize(text).map(word) }]
  const groups = new Map<unknown, ResolvedField[]>()
  for (const field of fields) {
    const key = analysisOf(field)
    groups.set(key, [...(groups.get(key) ?? []), field])
  }
  return [...groups.values()].map((alike) => {
    const [first] = alike
    if (first?.valueType !== 'text') return { fields: alike, words: [word(body.query)] }
    const places = wordsOnly(placesOf(first, text, {}, context))
    const inRow = body.auto_generate_synonyms_phrase_query !== false
    return { fields: alike, words: places.map((place) => (field) => atPlace(searchable(field), place, inRow)) }
  })
}

function analysisOf({ valueType, parameters }: ResolvedField): string {
  if (valueType !== 'text') return `keyword ${String(parameters['normalizer'] ?? '')}`
  return `text ${String(parameters['search_analyzer'] ?? parameters['analyzer'] ?? 'default')}`
}

function crossFields(fields: readonly ResolvedField[], body: Body, context: LowerContext): Predicate {
  const found = crossGroups(fields, body, context).map((group) => {
    const members = group.words.map((word) => or(group.fields.map(word)))
    if (members.length === 0) return none
    if (body.operator === 'and') return and(members)
    const count = wordsToMatch(body.minimum_should_match, members.length)
    return count === 1 ? or(members) : ({ op: 'at-least', count, of: members } as const)
  })
  return or(found)
}
