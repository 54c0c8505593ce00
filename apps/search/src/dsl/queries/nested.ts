import { none } from '@logstack/rules'
import { z } from 'zod'
import { defineQuery } from '../define-query.ts'
import { illegalArgument, queryShardError } from '../shapes/refuse.ts'
import { clauseParameters, flag } from '../shapes/scalars.ts'

/** `nested`: one object at the path meets the inner query by itself. */
export const nested = defineQuery({
  name: 'nested',
  schema: z.strictObject({
    path: z.string(),
    query: z.unknown(),
    score_mode: z.enum(['avg', 'max', 'min', 'sum', 'none']).optional(),
    ignore_unmapped: flag.optional(),
    inner_hits: z.unknown().optional(),
    ...clauseParameters,
  }),
  lower({ path, query, ignore_unmapped: quiet, inner_hits: inner }, context) {
    if (inner !== undefined) throw illegalArgument('[inner_hits] of [nested] is not supported')
    if (!context.isNested(path)) {
      if (quiet === true || context.indexName === '') return none
      const reason = `[nested] failed to find nested object under path [${path}]`
      throw queryShardError(context.indexName, illegalArgument(reason), `failed to create query: ${reason}`)
    }
    const of = context.within(path, () => context.lower(query))
    return of.op === 'none' ? none : { op: 'nested', path, of }
  },
})
