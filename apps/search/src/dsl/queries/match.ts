import { all, none } from '@logstack/rules'
import { z } from 'zod'
import { defineQuery } from '../define-query.ts'
import { matchParameters, nearnessOf } from '../shapes/match-parameters.ts'
import { oneField } from '../shapes/one-field.ts'
import { matchPredicate } from '../shapes/text-query.ts'

/** `match`: words of an analysed text, any of them or all; on other types the exact value. */
export const match = defineQuery({
  name: 'match',
  schema: oneField('match', z.strictObject(matchParameters), 'query'),
  lower({ field, parameters }, context) {
    const resolved = context.field(field)
    if (!resolved) return parameters.zero_terms_query === 'all' && parameters.query === '' ? all : none
    return matchPredicate(
      resolved,
      parameters.query,
      {
        operator: parameters.operator,
        minimumShouldMatch: parameters.minimum_should_match,
        zeroTerms: parameters.zero_terms_query,
        lenient: parameters.lenient,
        near: nearnessOf(parameters),
        analyzer: parameters.analyzer,
        synonymPhrases: parameters.auto_generate_synonyms_phrase_query,
      },
      context,
    )
  },
})
