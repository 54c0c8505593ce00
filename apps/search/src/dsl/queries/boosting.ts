import { z } from 'zod'
import { defineQuery } from '../define-query.ts'
import { clauseParameters, decimal } from '../shapes/scalars.ts'

/** `boosting`: the documents of `positive`; `negative` would only lower scores. */
export const boosting = defineQuery({
  name: 'boosting',
  schema: z.strictObject({
    positive: z.unknown(),
    negative: z.unknown(),
    negative_boost: decimal,
    ...clauseParameters,
  }),
  lower({ positive, negative }, context) {
    context.lower(negative)
    return context.lower(positive)
  },
})
