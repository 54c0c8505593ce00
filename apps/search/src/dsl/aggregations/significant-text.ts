import { z } from 'zod'
import { defineAggregation } from '../define-aggregation.ts'
import { flag, oneOrMany } from '../shapes/scalars.ts'
import { requireField, unsupportedType, wordsOf } from './metric-cells.ts'
import { planSignificant, significantSchema } from './significant-terms.ts'

/** `significant_text`: words that are more frequent among the matching documents than among all; every document counts, repeated text too. */
export const significantText = defineAggregation({
  name: 'significant_text',
  kind: 'bucket',
  schema: significantSchema.extend({
    filter_duplicate_text: flag.optional(),
    source_fields: oneOrMany(z.string()).optional(),
  }),
  uses: ({ field }) => ({ fields: [requireField(field, 'significant_text')] }),
  typedName: () => 'sigsterms',
  plan(parameters, source, _prepared, name) {
    const field = source.field(requireField(parameters.field, 'significant_text'))
    if (field.type !== undefined && field.type !== 'text') throw unsupportedType(field, 'significant_text')
    return planSignificant(field.type === undefined ? field : wordsOf(field), parameters, source.nowMs, name)
  },
})
