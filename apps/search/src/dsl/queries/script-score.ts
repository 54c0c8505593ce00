import { z } from 'zod'
import { computedScore, type Score } from '../../scores/score.ts'
import { defineQuery } from '../define-query.ts'
import { clauseParameters, decimal } from '../shapes/scalars.ts'

/** `script_score`: the documents of its query, scored by what a script returns. */
export const scriptScore = defineQuery({
  name: 'script_score',
  schema: z.strictObject({
    query: z.unknown(),
    script: z.unknown(),
    min_score: decimal.optional(),
    ...clauseParameters,
  }),
  lower({ query, script, min_score: least }, context) {
    context.spend('script score')
    context.computed.scoring(script)
    if (least !== undefined) context.scoresAtLeast(least)
    return context.lower(query)
  },
  score({ query, script }, context): Score {
    const inner = context.score(query)
    context.computed.scoredBy(inner)
    return computedScore(context.computed.scoring(script), context.lower(query), inner)
  },
})
