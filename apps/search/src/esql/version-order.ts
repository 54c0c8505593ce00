import { type Sql, sql } from '../sql/sql.ts'
import { versionKey } from '../sql/version-order.ts'
import type { EsqlType } from './types.ts'

/** A list in the order of its type. */
export function sorted(type: EsqlType, list: Sql, isDescending = false): Sql {
  const by = isDescending ? sql`arrayReverseSort` : sql`arraySort`
  return type === 'version' ? sql`${by}(o -> ${versionKey(sql`o`)}, ${list})` : sql`${by}(${list})`
}

/** The greatest of a list, NULL where there is none. */
export function greatestOf(type: EsqlType, list: Sql): Sql {
  if (type === 'version') return sql`arrayElementOrNull(${sorted(type, list)}, -1)`
  return sql`if(empty(${list}), NULL, arrayMax(${list}))`
}

/** The least of a list, NULL where there is none. */
export function leastOf(type: EsqlType, list: Sql): Sql {
  if (type === 'version') return sql`arrayElementOrNull(${sorted(type, list)}, 1)`
  return sql`if(empty(${list}), NULL, arrayMin(${list}))`
}
