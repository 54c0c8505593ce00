import { none } from '@logstack/rules'
import { z } from 'zod'
import { type Score, scoreOfPhrase } from '../../scores/score.ts'
import { defineQuery } from '../define-query.ts'
import { phraseParameters } from '../shapes/match-parameters.ts'
import { oneField } from '../shapes/one-field.ts'
import { whole } from '../shapes/scalars.ts'
import { phrasePredicate } from '../shapes/text-query.ts'
import { checkAnalyzer } from '../shapes/words.ts'

/** `match_phrase_prefix`: the words in order, the last as the start of a word. Every expansion counts: `max_expansions` is not needed. */
export const matchPhrasePrefix = defineQuery({
  name: 'match_phrase_prefix',
  schema: oneField(
    'match_phrase_prefix',
    z.strictObject({ ...phraseParameters, max_expansions: whole.optional() }),
    'query',
  ),
  lower({ field, parameters }, context) {
    checkAnalyzer('match_phrase_prefix', parameters.analyzer, context)
    const resolved = context.field(field)
    if (!resolved) return none
    const { slop = 0, zero_terms_query: zeroTerms, analyzer } = parameters
    return phrasePredicate(
      resolved,
      parameters.query,
      { slop, prefix: true, onlyText: true, zeroTerms, analyzer },
      context,
    )
  },
  score: (body, context): Score => scoreOfPhrase(matchPhrasePrefix.lower(body, context)),
})
