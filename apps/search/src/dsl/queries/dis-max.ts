import { or } from '@logstack/rules'
import { z } from 'zod'
import { parsingError } from '../../refusals/refuse.ts'
import { defineQuery } from '../define-query.ts'
import { clauseParameters, decimal } from '../shapes/scalars.ts'

function read(queries: unknown): readonly unknown[] {
  if (queries === undefined) throw parsingError("[dis_max] requires 'queries' field with at least one clause")
  const list = Array.isArray(queries) ? queries : [queries]
  if (list.length === 0) throw parsingError('[_na] query malformed, must start with start_object')
  return list
}

/** `dis_max`: any of its queries. */
export const disMax = defineQuery({
  name: 'dis_max',
  schema: z.strictObject({
    queries: z.unknown().transform(read),
    tie_breaker: decimal.optional(),
    ...clauseParameters,
  }),
  lower: ({ queries }, context) => or(queries.map((query) => context.lower(query))),
  score: ({ queries, tie_breaker: tie = 0 }, context) => ({
    op: 'max',
    of: queries.map((query) => context.score(query)),
    tie,
  }),
})
