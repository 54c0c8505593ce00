import { ident, join, type Sql, sql } from '../../sql/sql.ts'
import type { BucketNode, BucketRun } from './bucket-node.ts'
import { type BucketLevel, expanded, selectedOnly } from './bucket-rows.ts'
import { type GroupKey, keyValue } from './group-keys.ts'

/** Cells that hold the newest of a group, and which rows they are likely to be among. */
export interface NewestCells {
  /** Their numbers among all cells of the node, and how many rows each is a list of at most. */
  readonly most: ReadonlyMap<number, number>
  readonly condition: Sql
}

/** Groups that are named in a look for their rows; where there are more, all are looked at. */
const namedMax = 1_024

/** The cells of a node's metrics that are looked for among the newest rows first; undefined where there are none, or nothing is known of the rows. */
export function newestCells({ metrics, source }: BucketNode): NewestCells | undefined {
  const most = new Map<number, number>()
  let at = 0
  for (const { plan } of metrics) {
    at += plan.cells.length
    if (plan.newest !== undefined) most.set(at - 1, plan.newest)
  }
  const condition = most.size === 0 ? undefined : source.newest?.()
  return condition && { most, condition }
}

/** The statement that groups are found by. */
export interface Grouped {
  readonly levels: readonly (BucketLevel & Pick<BucketNode, 'source'>)[]
  readonly keys: readonly GroupKey[]
  readonly conditions: readonly Sql[]
  /** All cells of the node. */
  readonly cells: readonly Sql[]
}

/**
 * The rows of the statement that found groups, which are keys, count, total and cells, with the cells of the newest: these are looked for among the newest rows, and those of
 * groups that have more rows than were found there among all of them.
 */
export async function withNewest(
  rows: readonly (readonly unknown[])[],
  { most, condition }: NewestCells,
  grouped: Grouped,
  run: BucketRun,
): Promise<unknown[][]> {
  const { keys } = grouped
  const places = [...most.keys()]
  const paths = new Map(rows.map((row) => [row, keys.map((key, at) => keyValue(key, row[at]))]))
  const textOf = (row: readonly unknown[]) => JSON.stringify(paths.get(row))
  const look = async (wanted: typeof rows, extra: readonly Sql[]): Promise<ReadonlyMap<string, unknown[]>> => {
    if (wanted.length === 0) return new Map()
    const named =
      wanted.length > namedMax
        ? []
        : groupsNamed(
            grouped,
            wanted.map((row) => paths.get(row) ?? []),
          )
    const found = await run.services.engine.rows(statement(grouped, places, [...named, ...extra]), run.read)
    return new Map(
      found.map((row) => [JSON.stringify(keys.map((key, at) => keyValue(key, row[at]))), row.slice(keys.length)]),
    )
  }
  const near = await look(rows, [condition])
  const isWhole = (row: readonly unknown[]) =>
    [...most.values()].every((wanted, at) => {
      const list = near.get(textOf(row))?.[at]
      return Array.isArray(list) && list.length >= Math.min(wanted, Number(row[keys.length]))
    })
  const others = rows.filter((row) => !isWhole(row))
  const lists = new Map([...near, ...(await look(others, []))])
  return rows.map((row) => {
    const filled = [...row]
    for (const [at, place] of places.entries()) filled[keys.length + 2 + place] = lists.get(textOf(row))?.[at] ?? []
    return filled
  })
}

function groupsNamed({ levels, keys }: Grouped, paths: readonly (readonly unknown[])[]): Sql[] {
  const compared = keys.map((key) => key.compared)
  const numbers = keys.map(({ numbered }) => numbered)
  return selectedOnly(
    levels,
    compared,
    paths.map((path) => ({ path })),
    numbers,
  )
}

function statement(
  { levels, keys, conditions, cells }: Grouped,
  places: readonly number[],
  extra: readonly Sql[],
): Sql {
  const shown = [
    ...keys.map((key) => key.shown),
    ...places.map((place) => sql`${cells[place] ?? sql`[]`} AS ${ident(`m${place}`)}`),
  ]
  const all = [...conditions, ...extra]
  const groups = keys.map(({ by }) => by)
  const source = levels.at(-1)?.source
  if (!source) throw new Error('BUG: groups of no level')
  const from = expanded(levels, source, [...shown, ...all, ...groups])
  const where = all.length === 0 ? sql`` : sql` WHERE ${join(all, ' AND ')}`
  const by = groups.length === 0 ? sql`` : sql` GROUP BY ${join(groups, ', ')}`
  return sql`SELECT ${join(shown, ', ')} FROM ${from}${where}${by}`
}
