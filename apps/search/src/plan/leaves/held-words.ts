import type { Field } from '@logstack/rules'
import { cachedEngine } from '../../engine/read-cache.ts'
import { heldValues, heldWords } from '../../scores/score-statistics.ts'
import { columnsOf } from '../../sql/predicate-to-sql.ts'
import { list, type Sql, sql, str } from '../../sql/sql.ts'
import type { PlanServices } from './leaf-request.ts'
import { columnLookup, type Leaf } from './leaves.ts'
import type { PlanRead } from './plan-read.ts'
import { sampledRows } from './sampled-rows.ts'

/** How many documents there are among the newest of a leaf, by which the rarity of words is known. */
export async function sampledDocuments(services: PlanServices, leaf: Leaf, read: PlanRead): Promise<number> {
  const { from, where } = await sampledRows(services, leaf, read)
  const [row] = await cachedEngine(services.engine).rows(sql`SELECT count() FROM ${from} WHERE ${where}`, read)
  return Number(row?.[0] ?? 0)
}

/** How many of those documents hold each of the words of a text, or values of a keyword, as their column has them; those that none holds are left out. */
export async function documentsHolding(
  services: PlanServices,
  leaf: Leaf,
  field: Field,
  words: readonly string[],
  read: PlanRead,
): Promise<ReadonlyMap<string, number>> {
  const columns = columnsOf(field, columnLookup(services, leaf))
  if (!columns || words.length === 0) return new Map()
  const { from, where } = await sampledRows(services, leaf, read)
  const held: Sql = field.type === 'text' ? heldWords(columns) : heldValues(columns)
  const found = sql`arrayJoin(arrayIntersect(${held}, ${list(words.map(str))}))`
  const statement = sql`SELECT ${found} AS word, count() FROM ${from} WHERE ${where} GROUP BY word`
  const rows = await cachedEngine(services.engine).rows(statement, read)
  return new Map(rows.map(([word, documents]) => [String(word), Number(documents)]))
}
