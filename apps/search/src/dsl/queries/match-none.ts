import { none } from '@logstack/rules'
import { z } from 'zod'
import { defineQuery } from '../define-query.ts'
import { clauseParameters } from '../shapes/scalars.ts'

/** `match_none`: no document. */
export const matchNone = defineQuery({
  name: 'match_none',
  schema: z.strictObject({ ...clauseParameters }),
  lower: () => none,
})
