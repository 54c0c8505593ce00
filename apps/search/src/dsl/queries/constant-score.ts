import { z } from 'zod'
import { parsingError, required } from '../../refusals/refuse.ts'
import { defineQuery } from '../define-query.ts'
import { clauseParameters } from '../shapes/scalars.ts'

/** `constant_score`: the documents of its filter. */
export const constantScore = defineQuery({
  name: 'constant_score',
  schema: z.strictObject({
    filter: required(() => parsingError("[constant_score] requires a 'filter' element")),
    ...clauseParameters,
  }),
  lower: ({ filter }, context) => context.lower(filter),
  score: ({ filter }, context) => ({ op: 'constant', value: 1, when: context.lower(filter) }),
})
