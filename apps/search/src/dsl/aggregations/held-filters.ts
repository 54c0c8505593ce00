import { join, list, num, type Sql, sql } from '../../sql/sql.ts'

/** Numbers that stand in one list for a row. */
const filtersAtOnce = 32

/**
 * The numbers of the columns that are 1 in a row. They are picked out of lists of some of them: a list made for each, empty or not, costs four times as much, and lists of all of them more
 * memory than there is.
 */
export function heldNumbers(columns: readonly Sql[]): Sql {
  const held: Sql[] = []
  for (let from = 0; from < columns.length; from += filtersAtOnce) {
    const some = columns.slice(from, from + filtersAtOnce)
    const numbers = list(some.map((column, at) => sql`if(${column} = 1, ${num(from + at)}, -1)`))
    held.push(sql`arrayFilter(x -> x >= 0, ${numbers})`)
  }
  return sql`arrayConcat(${join(held, ', ')})`
}
