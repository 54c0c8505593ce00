import type { Value, ValueType } from '@logstack/rules'
import { num, type Sql, sql, str } from './sql.ts'

/** A comparable value as a literal of its column's type. */
export function literal(value: Value, type: ValueType): Sql {
  if (type === 'ip') return sql`toIPv6(${str(String(value))})`
  if (typeof value === 'boolean') return value ? sql`true` : sql`false`
  return typeof value === 'string' ? str(value) : num(value)
}

/** A number that the engine wrote as a text. JSON has no infinities, so that columns which may hold one are asked for as texts. */
export function readDouble(text: unknown): number {
  if (text === 'inf') return Number.POSITIVE_INFINITY
  return text === '-inf' ? Number.NEGATIVE_INFINITY : Number(text)
}
