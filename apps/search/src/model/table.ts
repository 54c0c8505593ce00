import type { ValueType } from '@logstack/rules'

/**
 * By which expression the token index of a column was declared: a text index is asked by that very expression, letter by letter, and reads every
 * row otherwise. `pattern` is that of columns whose index was made before there was another. Both cut every text into the same words.
 */
export type TokenCut = 'pattern' | 'tokenizer'

/** A physical column of a table: one (path, value type), made at the first value. `many` columns hold arrays of two or more values. */
export interface Column {
  readonly id: number
  readonly path: string
  readonly type: ValueType
  /** `c12_host_name`: holds the value of documents that have exactly one. */
  readonly name: string
  /** `m12_host_name`, an array, once a document had several values: those documents have null in `name` and all values here. */
  readonly manyName: string | undefined
  /** Whether a text has a token index, or a keyword or an address one for needles. Answers are the same without one. */
  readonly indexed?: boolean
  /** Of what has a token index: by which expression it was declared; absent of those that were made before there was another than the pattern. */
  readonly cut?: TokenCut
  /** Of what has a token index: whether it has one of pairs of words, too. */
  readonly pairs?: true
}

/** A column that documents need in a table. */
export interface NeededColumn {
  readonly path: string
  readonly type: ValueType
  readonly many: boolean
  /** Of a text: whether it needs a token index; of a keyword or an address: one for needles. */
  readonly indexed?: boolean
  /** Whether its mapping alone asks for that index, and no values have shown what it is worth: a table has only so many of these. */
  readonly isUnproven?: true
  /** Of a text that needs a token index: whether it needs one of pairs of words, too. */
  readonly pairs?: true
}

/** A physical table: the rows of one family of indices (`winlogbeat-2026.11.21` and its sisters; a data stream's backing indices). */
export interface TableMeta {
  readonly id: number
  readonly family: string
  /** `events_7`, inside the engine's database. */
  readonly name: string
  readonly columns: readonly Column[]
}

/** The text field whose values may be cut out of sources (`_message_at`). */
export const messagePath = 'message'

/** System columns every table has, before the fields' own. */
export const systemColumns = {
  /** Order of commit over all tables; visibility and tail reading go by it. */
  _seq: 'UInt64',
  /** Catalogue id of the index. */
  _index: 'UInt32',
  _slot: 'UInt16',
  /** `@timestamp` in epoch milliseconds, or the time of arrival where a document has none. The sort key. */
  _time: 'Int64',
  /** Per index, without holes, from 0: Elasticsearch's `_seq_no`. */
  _seq_no: 'UInt64',
  _version: 'UInt64',
  _id: 'String',
  /** Empty when the document has none. */
  _routing: 'String',
  /** Field paths whose values were ignored (`ignore_malformed`, `ignore_above`). */
  _ignored: 'Array(LowCardinality(String))',
  _source: 'String',
  /** In bytes: where in `_source` the text of the row's `message` belongs, which is kept in its own column only; 0 where `_source` is whole. */
  _message_at: 'UInt32',
} as const

const columnMaps = new WeakMap<TableMeta, ReadonlyMap<string, Column>>()

/** What tells the columns of a table apart. */
export const columnKey = (path: string, type: ValueType): string => `${type} ${path}`

/** The column of (path, type) in a table, if it has one. */
export function findColumn(table: TableMeta, path: string, type: ValueType): Column | undefined {
  let columns = columnMaps.get(table)
  if (columns === undefined) {
    columns = new Map(table.columns.map((column) => [columnKey(column.path, column.type), column]))
    columnMaps.set(table, columns)
  }
  return columns.get(columnKey(path, type))
}
