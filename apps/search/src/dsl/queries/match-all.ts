import { all } from '@logstack/rules'
import { z } from 'zod'
import { defineQuery } from '../define-query.ts'
import { clauseParameters } from '../shapes/scalars.ts'

/** `match_all`: every document. */
export const matchAll = defineQuery({
  name: 'match_all',
  schema: z.strictObject({ ...clauseParameters }),
  lower: () => all,
})
