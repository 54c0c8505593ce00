import type { SearchRequest } from '../../dsl/search-request.ts'
import { join, num, sql } from '../../sql/sql.ts'
import type { PlanServices } from '../leaves/leaf-request.ts'
import { type Leaf, leafRows } from '../leaves/leaves.ts'
import type { PlanRead } from '../leaves/plan-read.ts'
import { knownCounts } from './known-counts.ts'

/** How many documents match: exactly, or at least so many. */
export interface Total {
  readonly value: number
  readonly relation: 'eq' | 'gte'
}

/** How far to count: a number of documents, or all. */
export type Track = Exclude<SearchRequest['trackTotal'], 'none'>

/** How many rows a search has, from who finds out on the way to something else, to who would count them. */
export interface ToldRows {
  /** Undefined when nobody found out. */
  readonly rows: Promise<number | undefined>
  tell(rows: number | undefined): void
}

/** Makes the way between the two; of what is told only the first counts. */
export function toldRows(): ToldRows {
  let tell: ToldRows['tell'] = () => undefined
  const rows = new Promise<number | undefined>((resolve) => {
    tell = resolve
  })
  return { rows, tell }
}

/**
 * Counts the rows of all leaves, no further than asked. Where a search is for all documents, what was counted before may do, and where somebody
 * else comes across all rows, what these are `told` to be.
 */
export async function countMatches(
  services: PlanServices,
  leaves: readonly Leaf[],
  track: Track,
  read: PlanRead,
  told?: Promise<number | undefined>,
): Promise<Total> {
  if (leaves.length === 0) return { value: 0, relation: 'eq' }
  if (leaves.every(findsAll)) return countAll(services, leaves, track, read)
  const looked = leaves.filter(({ found, condition }) => found === undefined || found.condition !== condition)
  const all = looked.length === 0 ? undefined : await told
  if (all !== undefined) return totalOf(all, track)
  const known = leaves.filter((leaf) => !looked.includes(leaf))
  const least = known.reduce((sum, { found }) => sum + (found?.sequences.length ?? 0), 0)
  return totalOf(least + (looked.length === 0 ? 0 : await countRows(services, looked, track, read)), track)
}

async function countRows(
  services: PlanServices,
  leaves: readonly Leaf[],
  track: Track,
  read: PlanRead,
): Promise<number> {
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
  return Number(row?.[0] ?? 0)
}

/** Whether every document of the leaf's indices is found. */
export function findsAll({ predicate, condition }: Leaf): boolean {
  return predicate.op === 'all' && condition === undefined
}

/** All documents are counted once, and again only after writes that could have changed the answer. */
async function countAll(services: PlanServices, leaves: readonly Leaf[], track: Track, read: PlanRead): Promise<Total> {
  const counts = knownCounts(services.documents)
  const least = leaves.reduce((sum, leaf) => sum + counts.least(leaf), 0)
  if (track !== 'all' && least > track) return { value: track, relation: 'gte' }
  const each = await Promise.all(
    leaves.map(async (leaf) => {
      const exact = counts.exact(leaf)
      if (exact !== undefined) return exact
      const { from, where } = leafRows(services, leaf)
      const [row] = await services.engine.rows(sql`SELECT count() FROM ${from} WHERE ${where}`, read)
      const count = Number(row?.[0] ?? 0)
      counts.learn(leaf, count)
      return count
    }),
  )
  return totalOf(
    each.reduce((sum, count) => sum + count, 0),
    track,
  )
}

/** So many, or at least as many as were asked for. */
export function totalOf(value: number, track: Track): Total {
  return track !== 'all' && value > track ? { value: track, relation: 'gte' } : { value, relation: 'eq' }
}
