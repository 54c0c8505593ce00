import type { SearchRequest } from '../dsl/search-request.ts'
import type { ReadOptions } from '../engine/engine.ts'
import { join, num, sql } from '../sql/sql.ts'
import { type Leaf, leafRows, type PlanServices } from './leaves.ts'

/** How many documents match: exactly, or at least so many. */
export interface Total {
  readonly value: number
  readonly relation: 'eq' | 'gte'
}

/** Counts the rows of all leaves, no further than asked. */
export async function countMatches(
  services: PlanServices,
  leaves: readonly Leaf[],
  track: Exclude<SearchRequest['trackTotal'], 'none'>,
  read: ReadOptions,
): Promise<Total> {
  if (leaves.length === 0) return { value: 0, relation: 'eq' }
  const limited = track === 'all' ? sql`` : sql` LIMIT ${num(track + 1)}`
  const selects = leaves.map((leaf) => {
    const { from, where } = leafRows(services, leaf)
    return track === 'all'
      ? sql`SELECT count() AS n FROM ${from} WHERE ${where}`
      : sql`SELECT 1 AS n FROM ${from} WHERE ${where}${limited}`
  })
  const rows = join(selects, ' UNION ALL ')
  const statement =
    track === 'all' ? sql`SELECT sum(n) FROM (${rows})` : sql`SELECT count() FROM (SELECT n FROM (${rows})${limited})`
  const [row] = await services.engine.rows(statement, read)
  const value = Number(row?.[0] ?? 0)
  return track !== 'all' && value > track ? { value: track, relation: 'gte' } : { value, relation: 'eq' }
}
