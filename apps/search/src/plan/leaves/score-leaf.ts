import { cachedEngine } from '../../engine/read-cache.ts'
import { constantScore, type Score, scoreOfMatches, scoreParts, scorePartsMax } from '../../scores/score.ts'
import {
  type FieldStatistics,
  featureCells,
  featureKey,
  readStatistics,
  type Statistics,
  statisticsCells,
  wantedTerms,
} from '../../scores/score-statistics.ts'
import { exactWorth, scoreSql } from '../../scores/score-to-sql.ts'
import { join, num, type Sql, sql } from '../../sql/sql.ts'
import type { PlanServices } from './leaf-request.ts'
import { columnLookup, type Leaf } from './leaves.ts'
import type { PlanRead } from './plan-read.ts'
import { sampledRows } from './sampled-rows.ts'

/** The score of a leaf's rows: an expression of 32 bits, or the number it is for all of them, which is yet to be cut to 32 bits. */
export type LeafScore = number | Sql

/** Finds what the documents that a leaf finds score; words are counted only where the score depends on them. */
export async function scoreLeaf(services: PlanServices, leaf: Leaf, read: PlanRead): Promise<LeafScore> {
  if (!leaf.score) return 1
  // Hundreds of clauses are lists of values to find, not words to rank by.
  if (scoreParts(leaf.score) > scorePartsMax) return 1
  const constant = constantScore(leaf.score, leaf.predicate)
  if (constant !== undefined) return constant
  const score = scoreOfMatches(leaf.score, leaf.predicate)
  const statistics = await statisticsOf(services, leaf, score, read)
  const known = constantScore(score, leaf.predicate, (part) => exactWorth(part, statistics))
  return known ?? sql`toFloat32(${scoreSql(score, statistics, columnLookup(services, leaf))})`
}

/** How frequent the words and values of a score are in a sample of the newest rows of the leaf; what was counted for the same score is not counted again. */
export async function statisticsOf(
  services: PlanServices,
  leaf: Leaf,
  score: Score,
  read: PlanRead,
): Promise<Statistics> {
  const lookup = columnLookup(services, leaf)
  const wanted = [...wantedTerms(score)]
  const statistics = new Map<string, FieldStatistics>()
  if (wanted.length > 0) {
    const { from, where } = await sampledRows(services, leaf, read)
    const cells = wanted.map(([key, { field, terms }]) =>
      key === featureKey(field) ? featureCells(field, lookup) : statisticsCells(field, [...terms.values()], lookup),
    )
    const statement = sql`SELECT ${join(cells.flat(), ', ')} FROM ${from} WHERE ${where}`
    const [row = []] = await cachedEngine(services.engine).rows(statement, read)
    let at = 0
    for (const [place, [key, { terms }]] of wanted.entries()) {
      const count = cells[place]?.length ?? 0
      statistics.set(key, readStatistics(terms, row.slice(at, at + count)))
      at += count
    }
  }
  return statistics
}

/** A leaf's score as a value of 32 bits, whether it is the same for all rows or not: how such a number looks as text only the engine says. */
export function scoreValue(score: LeafScore): Sql {
  return typeof score === 'number' ? sql`toFloat32(${num(score)})` : score
}

/** The text of a score that looks in 32 bits as it does in 64; undefined of others, which the engine has to write. */
export function plainScore(score: LeafScore): string | undefined {
  return typeof score === 'number' && Number.isInteger(score) && Math.abs(score) < 1e6 ? String(score) : undefined
}
