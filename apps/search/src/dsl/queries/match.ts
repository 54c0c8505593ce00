import { all, none } from '@logstack/rules'
import { z } from 'zod'
import { type Score, scoreOf } from '../../scores/score.ts'
import { defineQuery } from '../define-query.ts'
import { matchParameters, nearnessOf } from '../shapes/match-parameters.ts'
import { oneField } from '../shapes/one-field.ts'
import { type MatchOptions, matchPredicate, matchScore } from '../shapes/text-query.ts'
import { checkAnalyzer } from '../shapes/words.ts'

const schema = z.strictObject(matchParameters)

/** `match`: words of an analysed text, any of them or all; on other types the exact value. */
export const match = defineQuery({
  name: 'match',
  schema: oneField('match', schema, 'query'),
  lower({ field, parameters }, context) {
    checkAnalyzer('match', parameters.analyzer, context)
    const resolved = context.field(field)
    if (!resolved) return parameters.zero_terms_query === 'all' && parameters.query === '' ? all : none
    return matchPredicate(resolved, parameters.query, optionsOf(parameters), context)
  },
  score(body, context): Score {
    const resolved = context.field(body.field)
    if (!resolved) return scoreOf(match.lower(body, context))
    return matchScore(resolved, body.parameters.query, optionsOf(body.parameters), context)
  },
})

function optionsOf(parameters: z.infer<typeof schema>): MatchOptions {
  return {
    operator: parameters.operator,
    minimumShouldMatch: parameters.minimum_should_match,
    zeroTerms: parameters.zero_terms_query,
    lenient: parameters.lenient,
    near: nearnessOf(parameters),
    analyzer: parameters.analyzer,
    synonymPhrases: parameters.auto_generate_synonyms_phrase_query,
  }
}
