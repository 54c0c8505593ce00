import { none } from '@logstack/rules'
import { z } from 'zod'
import { type Score, scoreOfPhrase } from '../../scores/score.ts'
import { defineQuery } from '../define-query.ts'
import { phraseParameters } from '../shapes/match-parameters.ts'
import { oneField } from '../shapes/one-field.ts'
import { phrasePredicate } from '../shapes/text-query.ts'
import { checkAnalyzer } from '../shapes/words.ts'

/** `match_phrase`: the words in order, at most `slop` moves apart. */
export const matchPhrase = defineQuery({
  name: 'match_phrase',
  schema: oneField('match_phrase', z.strictObject(phraseParameters), 'query'),
  lower({ field, parameters }, context) {
    checkAnalyzer('match_phrase', parameters.analyzer, context)
    const resolved = context.field(field)
    if (!resolved) return none
    const { slop = 0, zero_terms_query: zeroTerms, analyzer } = parameters
    return phrasePredicate(resolved, parameters.query, { slop, prefix: false, zeroTerms, analyzer }, context)
  },
  score: (body, context): Score => scoreOfPhrase(matchPhrase.lower(body, context)),
})
