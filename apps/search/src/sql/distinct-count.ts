import { type Sql, sql } from './sql.ts'

/**
 * How many different values there are: exact up to 32,768, beyond which within 1.5 % (ADR 0007). What keeps every value needs 32 bytes for each, which forty million ids
 * do not find; this takes at most 786 kB. `many` says that each row has a list of them.
 */
export function distinctCount(values: Sql, many: boolean): Sql {
  // Of a value that can be nothing but NULL the engine answers NULL.
  const counted = many ? sql`uniqCombined64Array(20)(${values})` : sql`uniqCombined64(20)(${values})`
  return sql`ifNull(${counted}, toUInt64(0))`
}
