import { z } from 'zod'
import { defineQuery } from '../define-query.ts'
import { type JoinClause, lowerJoin, required, scoreJoin } from '../shapes/join-clause.ts'
import { clauseParameters, flag } from '../shapes/scalars.ts'

const schema = z.strictObject({
  parent_type: z.string().nullish(),
  query: z.unknown().optional(),
  score: flag.optional(),
  ignore_unmapped: flag.optional(),
  inner_hits: z.record(z.string(), z.unknown()).optional(),
  ...clauseParameters,
})

/** `has_parent`: the parent of the document matches a query. */
export const hasParent = defineQuery({
  name: 'has_parent',
  schema,
  lower: (body, context) => lowerJoin(clauseOf(body), context),
  score: (body, context) => scoreJoin(clauseOf(body), context),
})

function clauseOf(body: z.infer<typeof schema>): JoinClause {
  return {
    name: 'has_parent',
    others: 'parent',
    type: required(body.parent_type, 'has_parent', 'parent_type'),
    query: required(body.query, 'has_parent', 'query'),
    scoreMode: body.score === true ? 'max' : 'none',
    least: 1,
    most: undefined,
    quiet: body.ignore_unmapped === true,
    inner: body.inner_hits,
  }
}
