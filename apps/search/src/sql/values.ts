import type { Value, ValueType } from '@logstack/rules'
import { num, type Sql, sql, str } from './sql.ts'

/** A comparable value as a literal of its column's type. */
export function literal(value: Value, type: ValueType): Sql {
  if (type === 'ip') return sql`toIPv6(${str(String(value))})`
  if (typeof value === 'boolean') return value ? sql`true` : sql`false`
  return typeof value === 'string' ? str(value) : num(value)
}
