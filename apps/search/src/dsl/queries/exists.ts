import { z } from 'zod'
import { jsonToken } from '../../json/json-token.ts'
import { illegalArgument, parsingError, refusing } from '../../refusals/refuse.ts'
import type { Score } from '../../scores/score.ts'
import { defineQuery } from '../define-query.ts'
import { existsPredicate } from '../shapes/exists.ts'
import { clauseParameters } from '../shapes/scalars.ts'

/** `exists`: the field, or any field of the object, holds at least one value. */
export const exists = defineQuery({
  name: 'exists',
  schema: z.strictObject({
    field: refusing(z.string().min(1), (given) =>
      given === undefined
        ? parsingError('[exists] must be provided with a [field]')
        : given === ''
          ? illegalArgument('field name is null or empty')
          : parsingError(`[exists] unknown token [${jsonToken(given)}] after [field]`),
    ),
    ...clauseParameters,
  }),
  lower: ({ field }, context) => existsPredicate(field, context),
  // Also of an object, several of whose fields may have values.
  score: ({ field }, context): Score => ({ op: 'constant', value: 1, when: existsPredicate(field, context) }),
})
