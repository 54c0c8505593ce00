import { z } from 'zod'
import { parsingError } from '../../refusals/refuse.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { renderSingle } from './filter.ts'

/** `children`: one bucket of the children that a bucket's documents have of a relation, whether they match the query or not. */
export const childrenAggregation = defineAggregation({
  name: 'children',
  kind: 'bucket',
  schema: z.strictObject({ type: z.string().optional() }),
  uses: () => ({ joins: true }),
  check({ type }, name) {
    if (type === undefined) throw parsingError(`Missing [child_type] field for children aggregation [${name}]`)
  },
  plan: ({ type = '' }) => ({
    parts: [],
    rows: { others: 'children', type },
    order: () => [],
    render: renderSingle,
  }),
})
