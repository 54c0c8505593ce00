import { type Sql, sql } from '../../sql/sql.ts'
import { commonType, type EsqlType, shownType } from '../types.ts'
import { nullOf, refuse, type Value } from '../value.ts'

/** `first`, `second`, … for messages. */
export function ordinal(at: number): string {
  return ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh'][at] ?? `${at + 1}th`
}

/**
 * The type that takes all values; a null fits any. Throws `Problem` for the first that has another. Numbers of different types meet in the greater one;
 * `unsigned_long` meets no other.
 */
export function typeOfAll(values: readonly (readonly [at: number, value: Value])[], text: string): EsqlType {
  let type: EsqlType = 'null'
  for (const [at, value] of values) {
    const common = commonType(type, value.type)
    const isMixed = common === 'unsigned_long' && type !== 'null' && value.type !== 'null' && type !== value.type
    if (common === undefined || isMixed)
      return refuse(
        value,
        `${ordinal(at)} argument of [${text}] must be [${shownType(type)}], found value [${value.text}] type [${shownType(value.type)}]`,
      )
    type = common
  }
  return type === 'text' ? 'keyword' : type
}

/** A value (`of`, of `from`'s type) in the form of a type that takes it. */
function inType(of: Sql, from: EsqlType, type: EsqlType): Sql {
  if (type === 'double' && from !== 'double') return sql`toFloat64(${of})`
  return type === 'date_nanos' && from === 'date' ? sql`(${of} * 1000000)` : of
}

/** A value as one of a type, a list where it is one. */
export function asType(value: Value, type: EsqlType): Sql {
  if (value.type === 'null') return nullOf(type, value.many)
  if (inType(value.sql, value.type, type) === value.sql) return value.sql
  return value.many
    ? sql`arrayMap(v -> ${inType(sql`v`, value.type, type)}, ${value.sql})`
    : inType(value.sql, value.type, type)
}

/** The values of a single one or a list, as a list; each text of the engine stands in it once. */
export function listOf(value: Value, type: EsqlType = value.type): Sql {
  if (value.type === 'null') return nullOf(type, true)
  const cell = asType(value, type)
  return value.many ? cell : sql`arrayMap(v -> assumeNotNull(v), arrayFilter(v -> isNotNull(v), [${cell}]))`
}

/** What `use` makes of a value that it mentions several times by its name: each mention would compute it again, and write its text once more. */
export function bound(value: Sql, name: Sql, use: Sql): Sql {
  return sql`arrayMap(${name} -> ${use}, [${value}])[1]`
}

/** The longest text that a function makes of others, in bytes; a longer one is NULL. */
export const bytesMax = 1_048_576
