import { all } from '@logstack/rules'
import { z } from 'zod'
import { defineQuery } from '../define-query.ts'
import type { Score } from '../score.ts'
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
    const value = { kind: 'computed', field: context.computed.scoring(script) } as const
    return {
      op: 'functions',
      functions: {
        of: [{ when: all, weight: 1, value }],
        scoreMode: 'multiply',
        boostMode: 'replace',
        boostMax: Number.MAX_VALUE,
      },
      when: context.lower(query),
      of: inner,
    }
  },
})
