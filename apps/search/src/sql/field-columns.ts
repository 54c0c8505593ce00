import type { Sql } from './sql.ts'
import type { TokenCut } from './text-tokens.ts'

/** Where a field's values are in one table: the column of single values and, once a document had several, the array companion. */
export interface FieldColumns {
  readonly one: Sql
  readonly many: Sql | undefined
  /** Of a text: by which expression its index was declared; absent where it has none. */
  readonly cut?: TokenCut
}
