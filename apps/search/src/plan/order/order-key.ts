import type { Sql } from '../../sql/sql.ts'

/** One sort criterion as one table reads it. */
export interface OrderKey {
  /** Never null for numbers: what is missing has the value that stands for it. */
  readonly sql: Sql
  readonly descending: boolean
  readonly nullsFirst: boolean
  readonly kind: 'number' | 'text'
  /** What numbers of eight bytes they are; absent of texts. */
  readonly numbers?: 'signed' | 'unsigned' | 'double'
  /** Set where all rows have the same value, so that nothing is ordered by it. */
  readonly constant?: true
  /** The text of all rows' value, where that is known without reading it. */
  readonly known?: string
  /** Set where `sql` is a column of numbers below 2^53 that every row has, which is read as it is. */
  readonly plain?: true
  /** A column of signed numbers that has the value of `sql` in every row that is read, where there is one. */
  readonly column?: Sql
  /** What two values are ordered by, where that is not their text or number. */
  rank?(value: SortValue): bigint | string
  /** The value of a row's text for it. */
  read(text: string | null): SortValue
  /** JSON as Elasticsearch shows the value. */
  show(value: SortValue): string
  /** The value of `search_after`. */
  given(value: unknown): SortValue
  literal(value: SortValue): Sql
}

/** A sort value between engine and client: comparable, and null for a missing text. */
export type SortValue = string | number | bigint | null
