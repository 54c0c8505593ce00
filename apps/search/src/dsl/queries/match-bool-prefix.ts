import { none } from '@logstack/rules'
import { z } from 'zod'
import { defineQuery } from '../define-query.ts'
import { matchParameters, nearnessOf } from '../shapes/match-parameters.ts'
import { oneField } from '../shapes/one-field.ts'
import { boolPrefixPredicate } from '../shapes/text-query.ts'
import { checkAnalyzer } from '../shapes/words.ts'

/** `match_bool_prefix`: any of the words, the last as the start of a word. */
export const matchBoolPrefix = defineQuery({
  name: 'match_bool_prefix',
  schema: oneField('match_bool_prefix', z.strictObject(matchParameters), 'query'),
  lower({ field, parameters }, context) {
    checkAnalyzer('match_bool_prefix', parameters.analyzer, context)
    const resolved = context.field(field)
    if (!resolved) return none
    const { operator, minimum_should_match: minimum, analyzer } = parameters
    return boolPrefixPredicate(
      resolved,
      parameters.query,
      { operator, minimumShouldMatch: minimum, near: nearnessOf(parameters), analyzer },
      context,
    )
  },
})
