import { none } from '@logstack/rules'
import { z } from 'zod'
import { parsingError } from '../../refusals/refuse.ts'
import { defineQuery } from '../define-query.ts'
import { oneField } from '../shapes/one-field.ts'
import { checkRewrite, patternPredicate } from '../shapes/pattern.ts'
import { clauseParameters, flag } from '../shapes/scalars.ts'

/** `wildcard`: a value that fits a pattern of `*` and `?`. */
export const wildcard = defineQuery({
  name: 'wildcard',
  schema: oneField(
    'wildcard',
    z.strictObject({
      value: z.string().optional(),
      wildcard: z.string().optional(),
      case_insensitive: flag.optional(),
      rewrite: z.string().optional(),
      ...clauseParameters,
    }),
    'value',
  ),
  lower({ field, parameters }, context) {
    const text = parameters.value ?? parameters.wildcard
    if (text === undefined) throw parsingError('[wildcard] query requires a [value]')
    checkRewrite(parameters.rewrite)
    // Lucene makes an automaton of a pattern's parts, and one that matches nothing of no parts, not even an empty value.
    if (text === '') return none
    return patternPredicate(
      field,
      { kind: 'wildcard', text, caseInsensitive: parameters.case_insensitive ?? false },
      context,
    )
  },
})
