import { ident, join, num, type Sql, sql } from './sql.ts'

const runsMax = 4

/**
 * The condition that a row is of one of these indices of its table. Hundreds of daily indices have numbers in a row, but for those of other tables
 * (`isElsewhere`), whose rows are not there: bounds are then cheaper than a list, which each statement reads and looks every row up in.
 */
export function ofIndices(ids: readonly number[], isElsewhere: (id: number) => boolean): Sql {
  const sorted = [...ids].sort((a, b) => a - b)
  const runs: { from: number; to: number }[] = []
  for (const id of sorted) {
    const last = runs.at(-1)
    if (last && onlyElsewhere(last.to + 1, id, isElsewhere)) last.to = id
    else runs.push({ from: id, to: id })
  }
  const column = ident('_index')
  if (sorted.length === 1 || runs.length > runsMax) return sql`_index IN (${join(sorted.map(num), ', ')})`
  const bounds = runs.map(({ from, to }) => sql`${column} BETWEEN ${num(from)} AND ${num(to)}`)
  return sql`(${join(bounds, ' OR ')})`
}

function onlyElsewhere(from: number, to: number, isElsewhere: (id: number) => boolean): boolean {
  for (let id = from; id < to; id += 1) if (!isElsewhere(id)) return false
  return true
}
