import { type Sql, sql, str } from '../../sql/sql.ts'
import type { Answer, FunctionCall } from '../define-function.ts'
import { type EsqlType, engineTypes } from '../types.ts'
import { nullOf } from '../value.ts'

/** A conversion of one value: NULL where it cannot be converted. */
export type Conversion = (value: Sql, from: EsqlType) => Sql

/** Applies a conversion to a single value or to each of a list. */
export function converted(
  { sql: [cell = sql`NULL`], values: [value] }: Pick<FunctionCall, 'sql' | 'values'>,
  type: EsqlType,
  convert: Conversion,
): Answer {
  if (!value || value.type === 'null') return { type, sql: nullOf(type) }
  if (!value.many) return { type, sql: convert(cell, value.type), many: false }
  const all = sql`arrayFilter(v -> isNotNull(v), arrayMap(v -> ${convert(sql`v`, value.type)}, ${cell}))`
  return { type, sql: sql`CAST(${all}, ${str(`Array(${engineTypes[type] ?? 'String'})`)})`, many: true }
}
