import { z } from 'zod'
import { defineAggregation } from '../define-aggregation.ts'
import { renderSingle } from './filter.ts'

/** `global`: one bucket of all documents of the searched indices, whatever the query; only at the top of a request. */
export const globalAggregation = defineAggregation({
  name: 'global',
  kind: 'bucket',
  schema: z.strictObject({}),
  uses: () => ({}),
  plan: () => ({ parts: [], ofEverything: true, order: () => [], render: renderSingle }),
})
