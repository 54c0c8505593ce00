import { z } from 'zod'
import { defineQuery } from '../define-query.ts'
import { clauseParameters, oneOrMany } from '../shapes/scalars.ts'

/** `ids`: documents with one of these ids. */
export const ids = defineQuery({
  name: 'ids',
  schema: z.strictObject({
    values: oneOrMany(z.union([z.string(), z.number().transform(String)])).optional(),
    ...clauseParameters,
  }),
  lower: ({ values = [] }) => ({ op: 'ids', ids: values }),
})
