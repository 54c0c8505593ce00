import { none } from '@logstack/rules'
import { z } from 'zod'
import { defineQuery } from '../define-query.ts'
import { oneField } from '../shapes/one-field.ts'
import { clauseParameters, flag, scalar } from '../shapes/scalars.ts'
import { termPredicate } from '../shapes/term.ts'

/** `term`: the field holds exactly this value; not analysed. */
export const term = defineQuery({
  name: 'term',
  schema: oneField(
    'term',
    z.strictObject({ value: scalar, case_insensitive: flag.optional(), ...clauseParameters }),
    'value',
  ),
  lower({ field, parameters }, context) {
    const resolved = context.field(field)
    return resolved ? termPredicate(resolved, parameters.value, context, parameters.case_insensitive) : none
  },
})
