import { z } from 'zod'
import { numberFormatError, parsingError, refusing, required } from '../../refusals/refuse.ts'
import { defineQuery } from '../define-query.ts'
import { clauseParameters, decimal } from '../shapes/scalars.ts'

/** `boosting`: the documents of `positive`; those that also match `negative` score less. */
export const boosting = defineQuery({
  name: 'boosting',
  schema: z.strictObject({
    positive: required(() => parsingError("[boosting] query requires 'positive' query to be set'")),
    negative: required(() => parsingError("[boosting] query requires 'negative' query to be set'")),
    negative_boost: refusing(decimal, (given) =>
      given === undefined
        ? parsingError("[boosting] query requires 'negative_boost' to be set to be a positive value'")
        : numberFormatError(String(given)),
    ),
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
