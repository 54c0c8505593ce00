import { AppError, searchErrors } from '@logstack/errors'
import { none } from '@logstack/rules'
import { z } from 'zod'
import { defineQuery } from '../define-query.ts'
import { searchable } from '../shapes/field-value.ts'
import { fuzziness, fuzzyPredicate } from '../shapes/fuzziness.ts'
import { oneField } from '../shapes/one-field.ts'
import { checkRewrite, fuzzyField } from '../shapes/pattern.ts'
import { clauseParameters, flag, scalar, whole } from '../shapes/scalars.ts'
import { columnWord } from '../shapes/words.ts'

/** `fuzzy`: a word or value that differs from the given one in a few letters. Every expansion counts. */
export const fuzzy = defineQuery({
  name: 'fuzzy',
  schema: oneField(
    'fuzzy',
    z.strictObject({
      value: scalar,
      fuzziness,
      prefix_length: whole.optional(),
      max_expansions: whole.optional(),
      transpositions: flag.optional(),
      rewrite: z.string().optional(),
      ...clauseParameters,
    }),
    'value',
  ),
  lower({ field, parameters }, context) {
    checkRewrite(parameters.rewrite)
    const resolved = context.field(field)
    if (!resolved) return none
    const found = searchable(resolved)
    if (found.keyed)
      throw new AppError(
        searchErrors.unsupported_operation_exception,
        '[fuzzy] queries are not currently supported on keyed [flattened] fields.',
      )
    const { fuzziness: given = 'AUTO', prefix_length: prefixLength, transpositions } = parameters
    return fuzzyPredicate(fuzzyField(found), columnWord(found, String(parameters.value)), {
      fuzziness: given,
      prefixLength,
      transpositions,
    })
  },
})
