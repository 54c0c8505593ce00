import { z } from 'zod'
import { illegalArgument } from '../../refusals/refuse.ts'
import { sql } from '../../sql/sql.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { flag, oneOrMany } from '../shapes/scalars.ts'
import { withoutRepeats } from './duplicate-text.ts'
import { allWordsOf, requireField, unsupportedType, wordsOf } from './metric-cells.ts'
import { planSignificant, significantSchema } from './significant-terms.ts'

/** `significant_text`: words that are more frequent among the matching documents than among all. Every document counts; repeated text only once with `filter_duplicate_text`. */
export const significantText = defineAggregation({
  name: 'significant_text',
  kind: 'bucket',
  schema: significantSchema.extend({
    filter_duplicate_text: flag.optional(),
    source_fields: oneOrMany(z.string()).optional(),
  }),
  uses: ({ field }) => ({ fields: [requireField(field)] }),
  typedName: () => 'sigsterms',
  plan(parameters, source, _prepared, name) {
    const field = source.field(requireField(parameters.field))
    if (field.type !== undefined && field.type !== 'text') throw unsupportedType(field, 'significant_text')
    const { source_fields: sourceFields } = parameters
    if (sourceFields !== undefined && [sourceFields].flat().some((path) => path !== parameters.field))
      throw illegalArgument(`[source_fields] other than [field] is not supported in [${name}]`)
    if (field.type === undefined) return planSignificant(field, parameters, source.nowMs, name)
    const words = wordsOf(field)
    if (parameters.filter_duplicate_text !== true) return planSignificant(words, parameters, source.nowMs, name)
    const once = { ...words, sql: sql`arrayDistinct(${withoutRepeats(allWordsOf(field), source)})` }
    return planSignificant(once, parameters, source.nowMs, name, words)
  },
})
