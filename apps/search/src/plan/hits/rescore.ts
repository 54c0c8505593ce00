import type { Rescore } from '../../dsl/rescore.ts'
import { join, num, sql } from '../../sql/sql.ts'
import { readDouble } from '../../sql/values.ts'
import type { LeafRequest, PlanServices } from '../leaves/leaf-request.ts'
import { columnLookup, leafRows } from '../leaves/leaves.ts'
import type { PlanRead } from '../leaves/plan-read.ts'
import { scoreLeaf, scoreValue } from '../leaves/score-leaf.ts'
import { prepareLeaves } from '../prepare-leaves.ts'
import type { Hit } from './hit.ts'
import type { FoundHits } from './hits.ts'
import { type MatchedClause, matchedClauses, namedCells } from './named-clauses.ts'

/** The hits in their new order after every round of rescoring. */
export async function rescored(
  services: PlanServices,
  found: FoundHits,
  rounds: readonly Rescore[],
  shared: Omit<LeafRequest, 'query'>,
  read: PlanRead,
): Promise<FoundHits> {
  let hits = found.hits
  for (const round of rounds) hits = await oneRound(services, hits, round, shared, read)
  return { ...found, hits }
}

async function oneRound(
  services: PlanServices,
  hits: readonly Hit[],
  round: Rescore,
  shared: Omit<LeafRequest, 'query'>,
  read: PlanRead,
): Promise<readonly Hit[]> {
  const first = hits.slice(0, round.window)
  const scores = await scoresOf(services, first, round, shared, read)
  const again = first.map((hit): Hit => {
    const own = hit.score * round.weight
    const found = scores.get(Number(hit.values.at(-1)))
    if (!found) return { ...hit, score: Math.fround(own) }
    const score = Math.fround(combine(own, found.score * round.rescoreWeight, round.mode))
    return { ...hit, score, matched: [...hit.matched, ...found.matched] }
  })
  again.sort((a, b) => b.score - a.score)
  const rest = hits.slice(round.window).map((hit) => ({ ...hit, score: Math.fround(hit.score * round.weight) }))
  return [...again, ...rest]
}

function combine(first: number, second: number, mode: Rescore['mode']): number {
  if (mode === 'multiply') return first * second
  if (mode === 'avg') return (first + second) / 2
  if (mode === 'max') return Math.max(first, second)
  return mode === 'min' ? Math.min(first, second) : first + second
}

/** The scores of the rescoring query by the hits' place in the order of arrival; none for hits it does not match. */
async function scoresOf(
  services: PlanServices,
  hits: readonly Hit[],
  { query }: Rescore,
  shared: Omit<LeafRequest, 'query'>,
  read: PlanRead,
): Promise<ReadonlyMap<number, { readonly score: number; readonly matched: readonly MatchedClause[] }>> {
  const scores = new Map<number, { score: number; matched: readonly MatchedClause[] }>()
  const leaves = await prepareLeaves(services, { ...shared, query, scored: true }, read)
  if (hits.length === 0) return scores
  const wanted = join(
    hits.map(({ values }) => num(Number(values.at(-1)))),
    ', ',
  )
  for (const leaf of leaves) {
    const { from, where } = leafRows(services, leaf)
    const score = await scoreLeaf(services, leaf, read)
    const named = await namedCells(services, leaf, columnLookup(services, leaf), read)
    const cells = join([sql`_seq`, sql`toString(toFloat64(${scoreValue(score)}))`, ...named], ', ')
    const rows = await services.engine.rows(
      sql`SELECT ${cells} FROM ${from} WHERE ${where} AND _seq IN (${wanted})`,
      read,
    )
    for (const [sequence, found, ...named] of rows) {
      const cell = named.values()
      const matched = matchedClauses(leaf, () => String(cell.next().value))
      scores.set(Number(sequence), { score: readDouble(found), matched })
    }
  }
  return scores
}
