import { RowBinaryReader } from '../../documents/rowbinary.ts'
import { join, num, type Sql, sql } from '../../sql/sql.ts'
import type { PlanServices } from '../leaves/leaf-request.ts'
import type { PlanRead } from '../leaves/plan-read.ts'
import { packedKeys } from './first-places.ts'
import { orderBy } from './order.ts'
import type { OrderKey } from './order-key.ts'

/** Which rows are looked for: the first of those that meet a condition. */
export interface SequencesWanted {
  readonly from: Sql
  readonly where: Sql
  readonly orderKeys: readonly OrderKey[]
  readonly limit: number
  /** So many rows before them are passed over. */
  readonly offset?: number
  /** Of the rows with the same value of it only the first. */
  readonly each?: Sql
}

/** The numbers of the first rows of an order. */
export async function firstSequences(
  { engine }: Pick<PlanServices, 'engine'>,
  wanted: SequencesWanted,
  read: PlanRead,
): Promise<Float64Array> {
  const bytes = await engine.bytes(selection(wanted), 'RowBinary', read)
  const reader = new RowBinaryReader(bytes)
  return Float64Array.from({ length: bytes.length / 8 }, () => reader.uint64())
}

function selection({ from, where, orderKeys, limit, offset, each }: SequencesWanted): Sql {
  if (each) return firstOfEach({ from, where, orderKeys, limit }, each)
  const passed = offset === undefined ? sql`` : sql` OFFSET ${num(offset)}`
  return sql`SELECT _seq FROM ${from} WHERE ${where} ORDER BY ${orderBy(orderKeys)} LIMIT ${num(limit)}${passed}`
}

/** Numbers are compared as one, of which each group keeps the least; anything else is sorted. */
function firstOfEach({ from, where, orderKeys, limit }: SequencesWanted, each: Sql): Sql {
  const packed = packedKeys(orderKeys)
  if (packed)
    return sql`SELECT toUInt64(min(${packed})) FROM ${from} WHERE ${where} GROUP BY ${each} ORDER BY min(${packed}) LIMIT ${num(limit)}`
  return sql`SELECT _seq FROM ${from} WHERE ${where} ORDER BY ${orderBy(orderKeys)} LIMIT 1 BY ${each} LIMIT ${num(limit)}`
}

/** The condition that a row is one of the first of an order: of these alone whole rows are read. */
export function amongFirst(wanted: SequencesWanted): Sql {
  return sql`_seq IN (${selection(wanted)})`
}

/** The condition that a row is one of these; `inRange` says that all rows between the first and the last of them are. */
export function numbered(sequences: Float64Array, inRange: boolean): Sql {
  const [first = 0] = sequences
  if (inRange) return sql`_seq >= ${num(first)} AND _seq <= ${num(sequences.at(-1) ?? first)}`
  return sql`_seq IN (${join(Array.from(sequences, num), ', ')})`
}
