import { scoreOfMatches } from '../../scores/score.ts'
import { bestWords, scoreBounds } from '../../scores/score-bounds.ts'
import { predicateSql } from '../../sql/predicate-to-sql.ts'
import type { Sql } from '../../sql/sql.ts'
import { filterOf, keep } from '../leaves/filter-keys.ts'
import type { PlanServices } from '../leaves/leaf-request.ts'
import { columnLookup, type Leaf } from '../leaves/leaves.ts'
import type { PlanRead } from '../leaves/plan-read.ts'
import { statisticsOf } from '../leaves/score-leaf.ts'

/** Matches up to which all are scored at once: that costs less than a statement more. */
const scoredMax = 20_000
/** How many more rows than are wanted must be expected of a narrow look. */
const spareShare = 10
/** A wrong guess is tried again when there are so many times more rows. */
const grownShare = 2

/** A narrow look for the best. */
export interface BestLook {
  readonly condition: Sql
  /** What rows that do not meet the condition score at most. */
  readonly othersMost: number
}

/**
 * Narrows the look for the rows of the highest scores to those that hold the words which count: the token index knows them without reading a text, while a
 * score cuts each match into words. A look that finds as many rows as were asked for, all worth more than any other row can be, has found the right ones,
 * whatever the guess was made of.
 */
export class BestRows {
  /** How many rows there were when a guess turned out wrong, by filter and number of rows. */
  readonly #failed = new Map<string, number>()

  /** The narrow look for the `count` best; undefined where there is none. */
  async look(services: PlanServices, leaf: Leaf, count: number, read: PlanRead): Promise<BestLook | undefined> {
    const key = keyOf(leaf, count)
    const rows = leaf.visibility.seq
    if (!leaf.score || leaf.found || key === undefined || rows < (this.#failed.get(key) ?? 0) * grownShare)
      return undefined
    const score = scoreOfMatches(leaf.score, leaf.predicate)
    const bounds = scoreBounds(score, await statisticsOf(services, leaf, score, read))
    const matches = rows * (bounds?.words.reduce((sum, { share }) => sum + share, 0) ?? 0)
    const best = bounds && matches > scoredMax ? bestWords(bounds, (count * spareShare) / rows) : undefined
    const lookup = columnLookup(services, leaf)
    if (!best || !bounds?.words.every((word) => lookup(word.field)?.cut !== undefined)) return undefined
    return { condition: predicateSql(best.predicate, lookup), othersMost: best.othersMost }
  }

  /** Notes that a narrow look was not enough. */
  failed(leaf: Leaf, count: number): void {
    const key = keyOf(leaf, count)
    if (key !== undefined) keep(this.#failed, key, leaf.visibility.seq)
  }
}

/** Scores have 32 bits, and are added in an order of their own. */
const roundingShare = 1e-6

/** Whether rows of the least of these scores are worth more than any that were not looked at. What is more than 32 bits can say is worth the same. */
export function areBest({ othersMost }: BestLook, least: number): boolean {
  return Number.isFinite(least) && least > othersMost * (1 + roundingShare)
}

function keyOf(leaf: Leaf, count: number): string | undefined {
  const filter = leaf.condition === undefined ? filterOf(leaf) : undefined
  return filter === undefined ? undefined : `${count} ${filter}`
}

const bestRowsOf = new WeakMap<object, BestRows>()

/** What is known of the best rows of a running search. */
export function bestRows({ documents }: Pick<PlanServices, 'documents'>): BestRows {
  const known = bestRowsOf.get(documents) ?? new BestRows()
  bestRowsOf.set(documents, known)
  return known
}
