import { z } from 'zod'
import { defineQuery } from '../define-query.ts'
import { oneField } from '../shapes/one-field.ts'
import { patternPredicate } from '../shapes/pattern.ts'
import { illegalArgument } from '../shapes/refuse.ts'
import { clauseParameters, flag, whole } from '../shapes/scalars.ts'

/** The default of `index.max_regex_length`. */
const regexpLengthMax = 1000

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
    if (text.length > regexpLengthMax)
      throw illegalArgument(
        `The length of regex [${text.length}] used in the Regexp Query request has exceeded the allowed maximum of [${regexpLengthMax}]. This maximum can be set by changing the [index.max_regex_length] index level setting.`,
      )
    return patternPredicate(
      field,
      { kind: 'regexp', text, caseInsensitive: parameters.case_insensitive ?? false },
      context,
    )
  },
})
