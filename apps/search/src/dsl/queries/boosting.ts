import { z } from 'zod'
import { defineQuery } from '../define-query.ts'
import { clauseParameters, decimal } from '../shapes/scalars.ts'

/** `boosting`: the documents of `positive`; those that also match `negative` score less. */
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
  score: ({ positive, negative, negative_boost: by }, context) => ({
    op: 'scaled',
    when: context.lower(negative),
    by,
    of: context.score(positive),
  }),
})
