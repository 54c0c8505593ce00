import { isAppError } from '@logstack/errors'
import { all, and, none, not, or, type Predicate } from '@logstack/rules'
import { z } from 'zod'
import { isOfRequest, memberError } from '../../refusals/refuse.ts'
import { noScore, type Score, scoreOf } from '../../scores/score.ts'
import { defineQuery, type LowerContext } from '../define-query.ts'
import { mergedJoins } from '../shapes/merged-joins.ts'
import { minimumShouldMatch } from '../shapes/minimum-should-match.ts'
import { clauseParameters, flag, oneOrMany } from '../shapes/scalars.ts'

const clauses = oneOrMany(z.unknown()).optional()

/**
 * `bool`: `must` and `filter` all hold, `must_not` none, of `should` at least `minimum_should_match` (where nothing must hold at least 1, else 0
 * unless said). As in Lucene, a number means nothing without any clause, and beside `must_not` alone.
 */
export const bool = defineQuery({
  name: 'bool',
  schema: z.strictObject({
    must: clauses,
    filter: clauses,
    should: clauses,
    must_not: clauses,
    minimum_should_match: z.union([z.string(), z.number()]).optional(),
    adjust_pure_negative: flag.optional(),
    ...clauseParameters,
  }),
  lower(body, context) {
    const { must = [], filter = [], should = [], must_not: mustNot = [] } = body
    const member = (name: string, queries: readonly unknown[]) =>
      queries.map((query) => lowerMember(name, query, (each) => context.lower(each)))
    const required = [...member('must', must), ...member('filter', filter)]
    const excluded = lowerAny('must_not', mustNot, (each) => context.lowerUnshown(each)).map(not)
    const least = required.length === 0 ? 1 : 0
    const needed = Math.max(minimumShouldMatch(body.minimum_should_match, should.length, least), least)
    const optional = needed === 1 ? lowerAny('should', should, (each) => context.lower(each)) : member('should', should)
    // Objects within a document are marked by what found them.
    if (needed === 0 && context.inside() === '') context.marks(optional)
    if (required.length + optional.length === 0)
      return excluded.length > 0 && body.adjust_pure_negative === false ? none : and(excluded)
    return and([...required, ...excluded, atLeast(needed, optional)])
  },
  score(body, context): Score {
    const of = [...(body.must ?? []), ...(body.should ?? [])].map((query) => context.score(query))
    // Without any clause it is all documents, as `match_all` finds them.
    if (of.length + (body.filter ?? []).length + (body.must_not ?? []).length === 0) return scoreOf(all)
    return of.length === 0 ? noScore : { op: 'within', when: bool.lower(body, context), of: { op: 'sum', of } }
  },
})

function lowerMember(name: string, query: unknown, lower: LowerContext['lower']): Predicate {
  try {
    return lower(query)
  } catch (thrown) {
    if (isAppError(thrown) && (thrown.code === 'parsing_exception' || isOfRequest(thrown)))
      throw memberError('bool', name, thrown)
    throw thrown
  }
}

/** Queries one of which must hold: joins to one relation together, unless something is wrong with them, which each tells for itself. */
function lowerAny(name: string, queries: readonly unknown[], lower: LowerContext['lower']): readonly Predicate[] {
  const merged = mergedJoins(queries)
  if (merged.length < queries.length)
    try {
      return merged.map((query) => lower(query))
    } catch (thrown) {
      if (!isAppError(thrown)) throw thrown
    }
  return queries.map((query) => lowerMember(name, query, lower))
}

function atLeast(count: number, of: readonly Predicate[]): Predicate {
  if (count <= 0) return all
  if (count > of.length) return none
  if (count === 1) return or(of)
  return count === of.length ? and(of) : { op: 'at-least', count, of }
}
