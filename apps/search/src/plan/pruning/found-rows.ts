import type { Predicate } from '@logstack/rules'
import { type ColumnLookup, columnsOf } from '../../sql/predicate-to-sql.ts'
import { join, num, sql } from '../../sql/sql.ts'
import { readDouble } from '../../sql/values.ts'
import type { PlanServices } from '../leaves/leaf-request.ts'
import { columnLookup, type Leaf, leafRows } from '../leaves/leaves.ts'
import type { PlanRead } from '../leaves/plan-read.ts'
import { type LeafScore, scoreLeaf } from '../leaves/score-leaf.ts'
import type { OrderKey } from '../order/order-key.ts'
import { filterCounts } from './filter-counts.ts'

/** As many as a statement may name without its text being what costs. */
const foundMax = 4_096

/**
 * Leaves that name the rows they find, where those are few and dear to find: the order of words in a phrase, patterns over the words of texts and
 * conditions on nested objects are looked at row by row, and would be again in the statements for hits, total and each aggregation. Where the best are wanted their scores are
 * found with them, while their texts are at hand.
 */
export async function withDearRows(
  services: PlanServices,
  leaves: readonly Leaf[],
  wantsBest: boolean,
  read: PlanRead,
): Promise<readonly Leaf[]> {
  const known = filterCounts(services.documents)
  return Promise.all(
    leaves.map(async (leaf) => {
      if (!isDear(leaf.predicate, columnLookup(services, leaf)) || known.areMany(leaf, foundMax)) return leaf
      const { from, where } = leafRows(services, leaf)
      const score = wantsBest ? await scoreLeaf(services, leaf, read) : 1
      const cells = [sql`_seq`, ...(typeof score === 'number' ? [] : [sql`toString(${score})`])]
      const statement = sql`SELECT ${join(cells, ', ')} FROM ${from} WHERE ${where} LIMIT ${num(foundMax + 1)}`
      const rows = await services.engine.rows(statement, read)
      const areAll = rows.length <= foundMax
      known.learn(leaf, rows.length, areAll)
      if (!areAll) return leaf
      const sequences = rows.map(([sequence]) => Number(sequence))
      const scores = typeof score === 'number' ? {} : { scores: rows.map(([, worth]) => readDouble(worth)) }
      return { ...leaf, found: { sequences, ...scores, condition: leaf.condition } }
    }),
  )
}

/** The leaf with the first `count` of its found rows only, where these are told by what is known of them: by their score or by their arrival. */
export function withFirstFound(leaf: Leaf, keys: readonly OrderKey[], score: LeafScore, count: number): Leaf {
  const { found } = leaf
  if (!found || found.condition !== leaf.condition || found.sequences.length <= count) return leaf
  const scores = firstIsBest(keys, score) ? found.scores : undefined
  const ordering = keys.slice(0, -1).filter(({ constant }) => constant !== true)
  if (ordering.length > (scores ? 1 : 0) || keys.at(-1)?.descending !== false) return leaf
  const worth = (at: number): number => scores?.[at] ?? 0
  const order = [...found.sequences.keys()].sort(
    (a, b) => worth(b) - worth(a) || (found.sequences[a] ?? 0) - (found.sequences[b] ?? 0),
  )
  return { ...leaf, found: { ...found, sequences: order.slice(0, count).map((at) => found.sequences[at] ?? 0) } }
}

/** Whether the first key that orders is the score, the best first. */
export function firstIsBest(keys: readonly OrderKey[], score: LeafScore): boolean {
  const first = keys.find(({ constant }) => constant !== true)
  return typeof score !== 'number' && first?.descending === true && first.sql.text === score.text
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
