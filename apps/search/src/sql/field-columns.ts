import type { ValueType } from '@logstack/rules'
import type { TokenCut } from '../model/table.ts'
import type { Sql } from './sql.ts'

/** Where a field's values are in one table: the column of single values and, once a document had several, the array companion. */
export interface FieldColumns {
  readonly one: Sql
  readonly many: Sql | undefined
  /** The values of `one`, where it has one, as the column that tables lie in the order of. */
  readonly ordered?: Sql
  /** Of a field that only says whether something holds of a document: the condition itself. */
  readonly holds?: Sql
  /** Of a text: by which expression its index was declared; absent where it has none. */
  readonly cut?: TokenCut
  /** Of a text with a token index: whether its pairs of words have one, too. */
  readonly pairs?: true
  /** Of a text: whether it holds the words of an analyzer of its own, with marks where that left words out. */
  readonly gaps?: true
}

/** What the engine calls one value of each kind. */
export const elementTypes: Readonly<Record<ValueType, string>> = {
  string: 'String',
  text: 'String',
  long: 'Int64',
  unsigned: 'UInt64',
  double: 'Float64',
  boolean: 'Bool',
  date: 'Int64',
  date_nanos: 'Int64',
  ip: 'IPv6',
  binary: 'String',
}
