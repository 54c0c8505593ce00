import { z } from 'zod'
import { defineQuery } from '../define-query.ts'
import { oneField } from '../shapes/one-field.ts'
import { patternPredicate } from '../shapes/pattern.ts'
import { clauseParameters, flag, whole } from '../shapes/scalars.ts'

/** `regexp`: a value that matches, as a whole, a regular expression of Lucene's syntax. */
export const regexp = defineQuery({
  name: 'regexp',
  schema: oneField(
    'regexp',
    z.strictObject({
      value: z.string(),
      flags: z.string().optional(),
      flags_value: whole.optional(),
      max_determinized_states: whole.optional(),
      case_insensitive: flag.optional(),
      rewrite: z.string().optional(),
      ...clauseParameters,
    }),
    'value',
  ),
  lower({ field, parameters }, context) {
    const { value: text } = parameters
    return patternPredicate(
      field,
      { kind: 'regexp', text, caseInsensitive: parameters.case_insensitive ?? false },
      context,
    )
  },
})
