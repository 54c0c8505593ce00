import { num, sql } from '../sql/sql.ts'
import { timeBounds } from '../sql/time-pruning.ts'
import { withJoinedRows } from './leaves/joined-rows.ts'
import type { LeafRequest, PlanServices } from './leaves/leaf-request.ts'
import { columnLookup, hasManyTimes, type Leaf } from './leaves/leaves.ts'
import { planLeaves } from './leaves/plan-leaves.ts'
import type { PlanRead } from './leaves/plan-read.ts'
import { scoreLeaf } from './leaves/score-leaf.ts'
import { expandPatterns } from './pruning/expand-patterns.ts'
import { withKnownValues } from './pruning/known-values.ts'
import { withComputedColumns } from './scripts/computed-columns.ts'
import { withInferredFields } from './scripts/inferred-fields.ts'

/**
 * Plans the leaves of a request, computes what its scripts and runtime fields give and keeps to rows of the least score: leaves that
 * statements can be made of.
 */
export async function prepareLeaves(services: PlanServices, request: LeafRequest, read: PlanRead): Promise<Leaf[]> {
  // Lowered at once, so that a wrong query fails before anything waits.
  const written = planLeaves(services, request)
  const inferred = await withInferredFields(services, request, read)
  const planned = inferred === request ? written : planLeaves(services, inferred)
  const leaves = ofTheirTime(services, planned)
  const ready = await Promise.all(
    leaves.map(async (leaf) => {
      const joined = await withJoinedRows(services, leaf, inferred, read, prepareLeaves)
      const computed = await withComputedColumns(services, joined, read)
      const known = await withKnownValues(services, computed, read)
      return scoredEnough(services, await expandPatterns(services, known, read), read)
    }),
  )
  return ready.flat()
}

/**
 * Leaves without those whose table ends before the time that is asked for; one is left, which says of which kind an answer without documents is. A single one is not worth
 * asking for.
 */
function ofTheirTime(services: PlanServices, leaves: readonly Leaf[]): readonly Leaf[] {
  if (leaves.length === 1) return leaves
  const left = leaves.filter((leaf) => {
    const { from } = timeBounds(leaf.predicate)
    if (!Number.isFinite(from) || hasManyTimes(columnLookup(services, leaf), leaf)) return true
    const bounds = services.documents.contents.bounds(leaf.table)
    return bounds === undefined || bounds.newestMs >= from
  })
  return left.length === 0 ? leaves.slice(0, 1) : left
}

/** The leaf with only the rows of the least score or more. */
async function scoredEnough(services: PlanServices, leaf: Leaf, read: PlanRead): Promise<readonly Leaf[]> {
  const { leastScore } = leaf
  if (leastScore === undefined) return [leaf]
  const score = await scoreLeaf(services, leaf, read)
  if (typeof score === 'number') return Math.fround(score) >= Math.fround(leastScore) ? [leaf] : []
  return [{ ...leaf, condition: sql`${score} >= toFloat32(${num(leastScore)})` }]
}
