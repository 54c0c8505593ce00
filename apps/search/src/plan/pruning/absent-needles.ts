import type { FieldPredicate } from '@logstack/rules'
import { exactJson } from '../../json/exact-json.ts'
import { join, num, sql } from '../../sql/sql.ts'
import { timePruning } from '../../sql/time-pruning.ts'
import type { PlanServices } from '../leaves/leaf-request.ts'
import { columnLookup, hasManyTimes, type Leaf, leafRows } from '../leaves/leaves.ts'
import type { PlanRead } from '../leaves/plan-read.ts'

/** Needles that are looked for by one statement; more stay in their conditions. */
const lookedForMax = 64

/** What tells a condition from others. */
export function needleKey(condition: FieldPredicate): string {
  return String(exactJson(condition))
}

/**
 * Which conditions that look for a needle no row of a leaf's indices meets, at any time the leaf's query allows, by their `needleKey`. An id has as many values as there are
 * rows, and an index that rules out nearly all of them only where nothing else is asked (ADR 0002).
 */
export async function absentNeedles(
  services: PlanServices,
  leaf: Leaf,
  needles: readonly FieldPredicate[],
  read: PlanRead,
): Promise<ReadonlySet<string>> {
  const byKey = new Map(needles.map((needle) => [needleKey(needle), needle]))
  if (byKey.size === 0) return new Set()
  const keys = [...byKey.keys()].slice(0, lookedForMax)
  const lookup = columnLookup(services, leaf)
  const pruning = hasManyTimes(lookup, leaf) ? [] : timePruning(leaf.predicate)
  const looks = keys.map((key, at) => {
    const { from, where } = leafRows(services, { ...leaf, predicate: byKey.get(key) ?? leaf.predicate })
    return sql`SELECT ${num(at)} FROM (SELECT 1 FROM ${from} WHERE ${join([...pruning, where], ' AND ')} LIMIT 1)`
  })
  const rows = await services.engine.rows(join(looks, ' UNION ALL '), read)
  const found = new Set(rows.map(([at]) => Number(at)))
  return new Set(keys.filter((_, at) => !found.has(at)))
}
