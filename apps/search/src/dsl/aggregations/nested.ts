import { z } from 'zod'
import { defineAggregation } from '../define-aggregation.ts'
import { renderSingle } from './filter.ts'

/** `nested`: one bucket of the objects at a path; what is below it works on them one by one. */
export const nestedAggregation = defineAggregation({
  name: 'nested',
  kind: 'bucket',
  schema: z.strictObject({ path: z.string() }),
  uses: () => ({}),
  plan: ({ path }) => ({ parts: [], rows: { path }, order: () => [], render: renderSingle }),
})
