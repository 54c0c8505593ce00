import type { Predicate } from '@logstack/rules'
import { type ColumnLookup, columnsOf } from '../sql/predicate-to-sql.ts'
import { num, sql } from '../sql/sql.ts'
import { filterCounts } from './filter-counts.ts'
import { columnLookup, type Leaf, leafRows, type PlanServices } from './leaves.ts'
import type { PlanRead } from './plan-read.ts'

/** As many as a statement may name without its text being what costs. */
const foundMax = 4_096

/**
 * Leaves that name the rows they find, where those are few and dear to find: the order of words in a phrase, patterns over the words of texts and
 * conditions on nested objects are looked at row by row, and would be again in the statements for hits, total and each aggregation.
 */
export async function withDearRows(
  services: PlanServices,
  leaves: readonly Leaf[],
  read: PlanRead,
): Promise<readonly Leaf[]> {
  const known = filterCounts(services.documents)
  return Promise.all(
    leaves.map(async (leaf) => {
      if (!isDear(leaf.predicate, columnLookup(services, leaf)) || known.areMany(leaf, foundMax)) return leaf
      const { from, where } = leafRows(services, leaf)
      const statement = sql`SELECT _seq FROM ${from} WHERE ${where} LIMIT ${num(foundMax + 1)}`
      const rows = await services.engine.rows(statement, read)
      const areAll = rows.length <= foundMax
      known.learn(leaf, rows.length, areAll)
      return areAll
        ? { ...leaf, found: { sequences: rows.map(([sequence]) => Number(sequence)), condition: leaf.condition } }
        : leaf
    }),
  )
}

/** Whether a predicate looks at texts or objects of single rows. */
export function isDear(predicate: Predicate, lookup: ColumnLookup): boolean {
  switch (predicate.op) {
    case 'and':
    case 'or':
    case 'at-least':
      return predicate.of.some((member) => isDear(member, lookup))
    case 'not':
      return isDear(predicate.of, lookup)
    case 'nested':
      return true
    case 'phrase':
      return predicate.tokens.length > 1 || predicate.prefix
    case 'pattern':
      return predicate.field.type === 'text' && columnsOf(predicate.field, lookup) !== undefined
    case 'tokens':
      return columnsOf(predicate.field, lookup) !== undefined && columnsOf(predicate.field, lookup)?.cut === undefined
    default:
      return false
  }
}
