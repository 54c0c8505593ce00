import type { Sql } from '../sql/sql.ts'
import type { LaneFigures } from './lane.ts'

/** Bounds of one read. The engine's own limits end it (`search_timeout`, `circuit_breaking_exception`), so nothing runs on unseen. */
export interface ReadLimits {
  readonly timeMsMax: number
  readonly memoryBytesMax: number
}

export interface ReadOptions {
  /** Absent: the pool's default limits. */
  readonly limits?: ReadLimits
  /** Rejects the caller at once; the engine ends the work by its own limit. */
  readonly signal?: AbortSignal
  /** On whose behalf it is read: those who wait take turns, whatever each has to read. Absent: on that of who gave the signal. */
  readonly owner?: object
  /** Heavy reads (wide aggregations, deep scans) take sessions of their own, so that light ones never wait behind them. */
  readonly weight?: 'light' | 'heavy'
}

/** A column of a segment file, in file order, with the engine's type as the file has it. */
export interface SegmentColumn {
  readonly name: string
  readonly type: string
}

/** How the bytes of a segment file are laid out: rows one after the other, or one block of whole columns. */
export type SegmentFormat = 'RowBinary' | 'Native'

/** Rows to insert: files of one directory and what their bytes mean. A Native file may lack some of the columns; their values are the defaults. */
export interface Segment {
  readonly table: string
  readonly directory: string
  /** Names without a separator, comma or pattern character. */
  readonly files: readonly string[]
  readonly format: SegmentFormat
  readonly columns: readonly SegmentColumn[]
  readonly rows: number
  /** The part gets its indexes when it is merged: making them takes memory, for each a few MB. */
  readonly isIndexedLater?: boolean
}

/** A file of rows in the Native format, packed with gzip, and what its rows become in a table. */
export interface FileInsert {
  readonly table: string
  /** An absolute path without comma or pattern characters. */
  readonly file: string
  /** The columns of the file, in its order. */
  readonly columns: readonly SegmentColumn[]
  /** The table's columns that get something, and what of: a column of the file or an expression over them. */
  readonly values: readonly (readonly [column: string, value: Sql])[]
  readonly rows: number
}

/**
 * The contract between search and a column store. Today chDB in process; a ClickHouse cluster over HTTP can satisfy it. Readers run in
 * sessions that can neither write nor read files; writers apart from readers. Errors are `AppError`s of the search catalogue:
 * `engine_query_failed`, `search_timeout`, `circuit_breaking_exception` (memory), `engine_disk_full`.
 */
export interface Engine {
  /** A read: one array a row, in the order of the select list. 64-bit integers beyond 2^53 arrive as strings. */
  rows(query: Sql, options?: ReadOptions): Promise<unknown[][]>
  /** A read whose bytes pass through unparsed, in an engine output format (`TSVRaw`, `JSONEachRow`, …). */
  bytes(query: Sql, format: string, options?: ReadOptions): Promise<Buffer>
  /** DDL or a mutation on a writer session, one at a time. What rewrites parts is `slow`: it has a session of its own, so that nothing waits behind it. */
  execute(statement: Sql, options?: { readonly slow?: boolean }): Promise<void>
  /** Inserts the rows of all files of a segment at once, with column names always named; durable (flushed) when resolved. A repeated insert is the caller's to prevent. */
  insertSegment(segment: Segment): Promise<void>
  /** Inserts the rows of one file as one part; durable when resolved. A repeated insert is the caller's to prevent. */
  insertFile(insert: FileInsert): Promise<void>
  /** Deletes rows by sequence in one partition; resolves when reads no longer see them. */
  deleteRows(table: string, partition: number, sequences: readonly number[]): Promise<void>
  /** Ends reads that keep in files what does not fit into memory: they fail with `engine_disk_full`. Answers, once they have ended, whether there were any. */
  endSpilling?(): Promise<boolean>
  /** What runs and waits, by lane; absent where nothing is told of it. */
  lanes?(): readonly LaneFigures[]
  close(): Promise<void>
}
