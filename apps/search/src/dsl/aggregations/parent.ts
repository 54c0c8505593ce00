import { z } from 'zod'
import { parsingError } from '../../refusals/refuse.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { renderSingle } from './filter.ts'

/** `parent`: one bucket of the parents of a bucket's documents that are children of a relation, each once, whether they match the query or not. */
export const parentAggregation = defineAggregation({
  name: 'parent',
  kind: 'bucket',
  schema: z.strictObject({ type: z.string().optional() }),
  uses: () => ({ joins: true }),
  check({ type }, name) {
    if (type === undefined) throw parsingError(`Missing [child_type] field for parent aggregation [${name}]`)
  },
  plan: ({ type = '' }) => ({ parts: [], rows: { others: 'parent', type }, order: () => [], render: renderSingle }),
})
