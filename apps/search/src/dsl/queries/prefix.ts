import { z } from 'zod'
import { defineQuery } from '../define-query.ts'
import { oneField } from '../shapes/one-field.ts'
import { checkRewrite, patternPredicate } from '../shapes/pattern.ts'
import { clauseParameters, flag } from '../shapes/scalars.ts'

/** `prefix`: a value that starts with the text. */
export const prefix = defineQuery({
  name: 'prefix',
  schema: oneField(
    'prefix',
    z.strictObject({
      value: z.string(),
      case_insensitive: flag.optional(),
      rewrite: z.string().optional(),
      ...clauseParameters,
    }),
    'value',
  ),
  lower({ field, parameters }, context) {
    checkRewrite(parameters.rewrite)
    return patternPredicate(
      field,
      { kind: 'prefix', text: parameters.value, caseInsensitive: parameters.case_insensitive ?? false },
      context,
    )
  },
})
