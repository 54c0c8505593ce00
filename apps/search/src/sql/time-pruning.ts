import type { Bounds, Predicate } from '@logstack/rules'
import { num, type Sql, sql } from './sql.ts'

/**
 * Conditions on the sort key `_time` that follow from a predicate's ranges over `@timestamp`, so that the engine reads only the granules of
 * that time. Only ranges that every match must satisfy count. `_time` is the event's own time wherever it has a single `@timestamp`.
 */
export function timePruning(predicate: Predicate): Sql[] {
  if (predicate.op === 'and') return predicate.of.flatMap(timePruning)
  if (predicate.op !== 'range' || predicate.field.path !== '@timestamp') return []
  const { type } = predicate.field
  if (type !== 'date' && type !== 'date_nanos') return []
  const ms = (value: Bounds['gt']) => (type === 'date' ? Number(value) : Number(BigInt(value ?? 0) / 1_000_000n))
  const { gt, gte, lt, lte } = predicate.bounds
  const conditions: Sql[] = []
  // Nanoseconds were cut off when `_time` was made, so an open bound must be read as a closed one.
  for (const low of [gt, gte]) if (low !== undefined) conditions.push(sql`_time >= ${num(Math.floor(ms(low)))}`)
  for (const high of [lt, lte]) if (high !== undefined) conditions.push(sql`_time <= ${num(Math.floor(ms(high)))}`)
  return conditions
}
