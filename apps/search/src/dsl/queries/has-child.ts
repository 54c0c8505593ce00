import { z } from 'zod'
import { illegalArgument, ofRequest } from '../../refusals/refuse.ts'
import { defineQuery } from '../define-query.ts'
import type { JoinScoreMode } from '../joined-rows.ts'
import { type JoinClause, lowerJoin, required, scoreJoin } from '../shapes/join-clause.ts'
import { clauseParameters, flag, whole } from '../shapes/scalars.ts'

const schema = z.strictObject({
  type: z.string().nullish(),
  query: z.unknown().optional(),
  score_mode: z.string().nullable().optional(),
  min_children: whole.optional(),
  max_children: whole.optional(),
  ignore_unmapped: flag.optional(),
  inner_hits: z.record(z.string(), z.unknown()).optional(),
  ...clauseParameters,
})

/** `has_child`: so many children of the document as are asked for match a query. */
export const hasChild = defineQuery({
  name: 'has_child',
  schema,
  lower: (body, context) => lowerJoin(clauseOf(body), context),
  score: (body, context) => scoreJoin(clauseOf(body), context),
})

function clauseOf(body: z.infer<typeof schema>): JoinClause {
  const { type, query, min_children: least = 1, max_children: most, ignore_unmapped: quiet } = body
  for (const [name, count = 0] of Object.entries({ min_children: least, max_children: most }))
    if (count < 0) throw ofRequest(illegalArgument(`[has_child] requires non-negative '${name}' field`))
  if (most !== undefined && most < least)
    throw ofRequest(illegalArgument("[has_child] 'max_children' is less than 'min_children'"))
  return {
    name: 'has_child',
    others: 'children',
    type: required(type, 'has_child', 'type'),
    query: required(query, 'has_child', 'query'),
    scoreMode: modeOf(body.score_mode ?? 'none'),
    least,
    most,
    quiet: quiet === true,
    inner: body.inner_hits,
  }
}

const modes: readonly JoinScoreMode[] = ['none', 'avg', 'sum', 'min', 'max']

function modeOf(given: string): JoinScoreMode {
  const mode = modes.find((each) => each === given)
  if (mode === undefined) throw ofRequest(illegalArgument(`No score mode for child query [${given}] found`))
  return mode
}
