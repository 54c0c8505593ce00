import { AppError, searchErrors } from '@logstack/errors'
import type { Predicate } from '@logstack/rules'
import { queryShardError } from '../refusals/refuse.ts'

/** Most clauses of one query: Elasticsearch's `indices.query.bool.max_clause_count` as it comes out with a gigabyte of memory. */
const clausesMax = 4096
/** A phrase with slop is looked for word by word in every candidate: it counts as so many. */
const sloppyPhraseCost = 20

/** Refuses a query of too many clauses with Elasticsearch's error. */
export function checkClauses(predicate: Predicate, indexName: string): void {
  if (clausesOf(predicate) <= clausesMax) return
  const reason = `maxClauseCount is set to ${clausesMax}`
  throw queryShardError(indexName, new AppError(searchErrors.too_many_clauses, reason))
}

function clausesOf(predicate: Predicate): number {
  switch (predicate.op) {
    case 'and':
    case 'or':
    case 'at-least':
      return predicate.of.reduce((sum, member) => sum + clausesOf(member), 0)
    case 'nested':
    case 'not':
      return clausesOf(predicate.of)
    case 'tokens':
      return predicate.tokens.length
    case 'phrase':
      return predicate.slop > 0 ? sloppyPhraseCost : 1
    default:
      return 1
  }
}
