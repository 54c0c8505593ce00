import { z } from 'zod'
import { defineQuery } from '../define-query.ts'
import { clauseParameters, flag } from '../shapes/scalars.ts'

/**
 * `nested`: the inner query over the flattened fields. Objects of an array are not kept apart: conditions on two fields may be met by two
 * different objects, as in a mapping of type `object`.
 */
export const nested = defineQuery({
  name: 'nested',
  schema: z.strictObject({
    path: z.string(),
    query: z.unknown(),
    score_mode: z.string().optional(),
    ignore_unmapped: flag.optional(),
    ...clauseParameters,
  }),
  lower: ({ query }, context) => context.lower(query),
})
