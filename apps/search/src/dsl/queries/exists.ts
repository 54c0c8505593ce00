import { z } from 'zod'
import { defineQuery } from '../define-query.ts'
import type { Score } from '../score.ts'
import { existsPredicate } from '../shapes/exists.ts'
import { clauseParameters } from '../shapes/scalars.ts'

/** `exists`: the field, or any field of the object, holds at least one value. */
export const exists = defineQuery({
  name: 'exists',
  schema: z.strictObject({ field: z.string().min(1), ...clauseParameters }),
  lower: ({ field }, context) => existsPredicate(field, context),
  // Also of an object, several of whose fields may have values.
  score: ({ field }, context): Score => ({ op: 'constant', value: 1, when: existsPredicate(field, context) }),
})
