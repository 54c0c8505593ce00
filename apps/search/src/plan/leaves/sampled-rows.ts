import { num, type Sql, sql } from '../../sql/sql.ts'
import { indicesOf, keep } from './filter-keys.ts'
import type { PlanServices } from './leaf-request.ts'
import { type Leaf, permittedRows } from './leaves.ts'
import type { PlanRead } from './plan-read.ts'

/** Rows that the rarity of words is taken from, the newest first: counting words over all of a large index would cost more than the search. */
const rowsWanted = 20_000
/** Fewer say too little, where there are others. */
const rowsMin = 5_000
const rowsMax = 2 * rowsWanted

/** Where the newest rows of indices begin, as it was found when a snapshot had the number `seq`. */
interface Beginning {
  /** All of the rows have higher numbers. */
  readonly above: number
  readonly seq: number
}

const beginnings = new WeakMap<object, Map<string, Beginning>>()

/**
 * The newest rows that the caller may see, which stand for all of them where words are counted: some twenty thousand, or all. Rows of a table are numbered among those of all others, and
 * those of an index among its table's, so where they begin must be looked for.
 */
export async function sampledRows(
  services: PlanServices,
  leaf: Leaf,
  read: PlanRead,
): Promise<{ readonly from: Sql; readonly where: Sql }> {
  const known = beginnings.get(services.documents) ?? new Map<string, Beginning>()
  beginnings.set(services.documents, known)
  const key = `${indicesOf(leaf)} ${leaf.filters}`
  const { seq } = leaf.visibility
  const before = known.get(key)
  // An older snapshot has fewer of the rows that are counted from there on, and a new number is one row at most.
  const isKnown = before !== undefined && Math.abs(seq - before.seq) < rowsWanted
  const above = isKnown ? before.above : await lookFor(services, leaf, before, read)
  if (!isKnown) keep(known, key, { above, seq })
  return rowsAbove(services, leaf, above)
}

function rowsAbove(services: PlanServices, leaf: Leaf, above: number): { readonly from: Sql; readonly where: Sql } {
  const { from, where } = permittedRows(services, leaf)
  return { from, where: sql`${where} AND _seq > ${num(above)}` }
}

/** Where the rows were that began the sample, or where they are if no other table is written to; if neither is as many as are wanted, all are looked at. */
async function lookFor(
  services: PlanServices,
  leaf: Leaf,
  before: Beginning | undefined,
  read: PlanRead,
): Promise<number> {
  const last = Math.max(-1, leaf.visibility.seq - rowsWanted)
  for (const above of before === undefined ? [last] : [before.above, last]) {
    // All rows are few enough.
    if (above === -1 && leaf.visibility.seq < rowsMax) return above
    const { from, where } = rowsAbove(services, leaf, above)
    const [row] = await services.engine.rows(sql`SELECT count() FROM ${from} WHERE ${where}`, read)
    const count = Number(row?.[0] ?? 0)
    if (count <= rowsMax && (count >= rowsMin || above === -1)) return above
  }
  const { from, where } = permittedRows(services, leaf)
  const statement = sql`SELECT _seq FROM ${from} WHERE ${where} ORDER BY _seq DESC LIMIT 1 OFFSET ${num(rowsWanted - 1)}`
  const [row] = await services.engine.rows(statement, read)
  return row === undefined ? -1 : Number(row[0]) - 1
}
