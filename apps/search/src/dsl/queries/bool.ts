import { all, and, none, not, or, type Predicate } from '@logstack/rules'
import { z } from 'zod'
import { defineQuery } from '../define-query.ts'
import { noScore, type Score } from '../score.ts'
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
    const required = [...must, ...filter].map((query) => context.lower(query))
    const excluded = mustNot.map((query) => not(context.lower(query)))
    const optional = should.map((query) => context.lower(query))
    if (required.length + optional.length === 0)
      return excluded.length > 0 && body.adjust_pure_negative === false ? none : and(excluded)
    const least = required.length === 0 ? 1 : 0
    const needed = minimumShouldMatch(body.minimum_should_match, optional.length, least)
    return and([...required, ...excluded, atLeast(Math.max(needed, least), optional)])
  },
  score(body, context): Score {
    const of = [...(body.must ?? []), ...(body.should ?? [])].map((query) => context.score(query))
    return of.length === 0 ? noScore : { op: 'within', when: bool.lower(body, context), of: { op: 'sum', of } }
  },
})

function atLeast(count: number, of: readonly Predicate[]): Predicate {
  if (count <= 0) return all
  if (count > of.length) return none
  if (count === 1) return or(of)
  return count === of.length ? and(of) : { op: 'at-least', count, of }
}
