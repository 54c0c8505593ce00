import { versionOrder } from '@logstack/rules'
import type { FieldColumns } from '../../sql/field-columns.ts'
import { type Sql, sql, str } from '../../sql/sql.ts'
import { versionOfRank, versionRank } from '../../sql/version-order.ts'
import type { OrderKey, SortValue } from './order-key.ts'

/** The columns of a version field with ranks for versions: they say both where a version stands and what it is. */
export function versionColumns({ one, many }: FieldColumns): FieldColumns {
  return { one: versionRank(one), many: many && sql`arrayMap(x -> ${versionRank(sql`x`)}, ${many})` }
}

/** The rank of a version that a request gives. */
export function versionLiteral(given: SortValue): Sql {
  return versionRank(str(String(given)))
}

/** An order of ranks as one of versions. */
export function byVersion(key: OrderKey): OrderKey {
  return {
    ...key,
    rank: (shown) => `${versionOrder(String(shown))} ${String(shown)}`,
    read: (text) => (text === null ? null : versionOfRank(text)),
  }
}
