import { AppError, searchErrors } from '@logstack/errors'
import { none, type Predicate } from '@logstack/rules'
import { z } from 'zod'
import { illegalArgument, queryShardError, refusing, required } from '../../refusals/refuse.ts'
import { defineQuery } from '../define-query.ts'
import { readInnerHits } from '../inner-hits.ts'
import { clauseParameters, flag } from '../shapes/scalars.ts'

/** `nested`: one object at the path meets the inner query by itself. */
export const nested = defineQuery({
  name: 'nested',
  schema: z.strictObject({
    path: refusing(z.string(), () => illegalArgument("[nested] requires 'path' field")),
    query: required(() => illegalArgument("[nested] requires 'query' field")),
    score_mode: z.enum(['avg', 'max', 'min', 'sum', 'none']).optional(),
    ignore_unmapped: flag.optional(),
    inner_hits: z.record(z.string(), z.unknown()).optional(),
    ...clauseParameters,
  }),
  lower({ path, query, ignore_unmapped: quiet, inner_hits: inner }, context) {
    context.spend('joining')
    if (!context.isNested(path)) {
      if (quiet === true || !context.hasIndex) return none
      const reason = `[nested] failed to find nested object under path [${path}]`
      throw queryShardError(context.reportedIndex, new AppError(searchErrors.illegal_state_exception, reason))
    }
    const of = context.within(path, () => context.lower(query))
    const between = pathsBetween(context.inside(), path).filter((each) => context.isNested(each))
    if (inner) context.showsNested({ ...readInnerHits(inner, path), path, of })
    const innermost: Predicate = of.op === 'none' ? none : { op: 'nested', path, of }
    // Objects within objects are looked for in each of these by itself.
    return between.reduceRight<Predicate>(
      (below, outer) => (below.op === 'none' ? none : { op: 'nested', path: outer, of: below }),
      innermost,
    )
  },
})

/** The paths above one, outermost first, that lie below the place a clause stands in. */
function pathsBetween(inside: string, path: string): string[] {
  const steps = path.split('.')
  return steps
    .slice(0, -1)
    .map((_, at) => steps.slice(0, at + 1).join('.'))
    .filter((each) => inside === '' || each.startsWith(`${inside}.`))
}
