import { or } from '@logstack/rules'
import { z } from 'zod'
import { defineQuery } from '../define-query.ts'
import { clauseParameters, decimal, oneOrMany } from '../shapes/scalars.ts'

/** `dis_max`: any of its queries. */
export const disMax = defineQuery({
  name: 'dis_max',
  schema: z.strictObject({ queries: oneOrMany(z.unknown()), tie_breaker: decimal.optional(), ...clauseParameters }),
  lower: ({ queries }, context) => or(queries.map((query) => context.lower(query))),
  score: ({ queries, tie_breaker: tie = 0 }, context) => ({
    op: 'max',
    of: queries.map((query) => context.score(query)),
    tie,
  }),
})
