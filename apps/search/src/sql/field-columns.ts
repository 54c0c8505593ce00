import type { Sql } from './sql.ts'

/** Where a field's values are in one table: the column of single values and, once a document had several, the array companion. */
export interface FieldColumns {
  readonly one: Sql
  readonly many: Sql | undefined
}
