import { z } from 'zod'
import { illegalArgument } from '../../refusals/refuse.ts'
import { defineQuery } from '../define-query.ts'
import { oneField } from '../shapes/one-field.ts'
import { checkRewrite, patternPredicate } from '../shapes/pattern.ts'
import { clauseParameters, flag, whole } from '../shapes/scalars.ts'

const flagNames = ['INTERSECTION', 'COMPLEMENT', 'EMPTY', 'ANYSTRING', 'INTERVAL', 'NONE', 'ALL']

function checkedFlags(given: string): string {
  const unknown = given.split('|').find((name) => name !== '' && !flagNames.includes(name.toUpperCase()))
  if (unknown !== undefined) throw illegalArgument(`Unknown regexp flag [${unknown}]`)
  return given
}

/** `regexp`: a value that matches, as a whole, a regular expression of Lucene's syntax. */
export const regexp = defineQuery({
  name: 'regexp',
  schema: oneField(
    'regexp',
    z.strictObject({
      value: z.string(),
      flags: z.string().transform(checkedFlags).optional(),
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
    checkRewrite(parameters.rewrite)
    return patternPredicate(
      field,
      { kind: 'regexp', text, caseInsensitive: parameters.case_insensitive ?? false },
      context,
    )
  },
})
