import { Double } from '../../json/print-json.ts'
import { type ColumnLookup, predicateSql, truth } from '../../sql/predicate-to-sql.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { readDouble } from '../../sql/values.ts'
import type { PlanServices } from '../leaves/leaf-request.ts'
import type { Leaf } from '../leaves/leaves.ts'
import type { PlanRead } from '../leaves/plan-read.ts'
import { scoreLeaf, scoreValue } from '../leaves/score-leaf.ts'

/** A clause with a `_name` that a document matches, and what it scores there by itself, where that was asked for. */
export interface MatchedClause {
  readonly name: string
  readonly score?: number
}

/** A text cell a named clause of a leaf: empty where a row does not match it, else what it scores, or 1. */
export function namedCells(
  services: PlanServices,
  leaf: Leaf,
  lookup: ColumnLookup,
  read: PlanRead,
): Promise<readonly Sql[]> {
  return Promise.all(
    leaf.named.map(async ([, { predicate, score }]) => {
      const worth = score ? await scoreLeaf(services, { ...leaf, predicate, score }, read) : 1
      return sql`if(${truth(predicateSql(predicate, lookup))} = 1, toString(${scoreValue(worth)}), '')`
    }),
  )
}

/** The clauses that a row matched; `cell` gives its named cells, one after the other. */
export function matchedClauses(leaf: Leaf, cell: () => string): readonly MatchedClause[] {
  return leaf.named.flatMap(([name, { score }]): MatchedClause[] => {
    const text = cell()
    if (text === '') return []
    return [score ? { name, score: readDouble(text) } : { name }]
  })
}

/** `matched_queries` of a hit: the names, or what each clause scores by its name. */
export function shownClauses(matched: readonly MatchedClause[]): unknown {
  if (matched.every(({ score }) => score === undefined)) return matched.map(({ name }) => name)
  return Object.fromEntries(matched.map(({ name, score = 0 }) => [name, new Double(score)]))
}
