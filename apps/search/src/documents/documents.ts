import type { IndexMeta } from '../model/index-meta.ts'
import type { KeptValues } from './kept-values.ts'
import type { PatchedTables } from './patched-tables.ts'
import type { TableContents } from './table-contents.ts'
import type { Hold, Visibility } from './visibility.ts'
import type { WriteOperation } from './write-operation.ts'

/** What became of a write; `error` is an `AppError` of the search catalogue, and then nothing of it was stored. */
export type WriteResult =
  | {
      readonly index: string
      readonly id: string
      readonly version: number
      readonly seqNo: number
      readonly result: 'created' | 'updated' | 'deleted' | 'noop' | 'not_found'
      readonly status: number
      /** The source after an update, for `_source` in its answer. */
      readonly source?: Buffer
    }
  | { readonly index: string; readonly id: string | undefined; readonly error: Error }

export interface StoredDocument {
  readonly id: string
  readonly version: number
  readonly seqNo: number
  readonly routing: string
  readonly source: Buffer
}

/** Bytes of operations that wait or are being written, of all since the start, and how many requests were refused. */
export interface WritePressure {
  readonly bytes: number
  readonly bytesEver: number
  readonly rejections: number
  readonly bytesMax: number
}

/** The documents of all indices: durable, exactly-once writes in group commits, and reads by id. */
export interface Documents {
  /** Applies writes in order, one result each. Resolves when all are on disk; `get` sees them at once, what reads tables after `shown`. Throws only `es_rejected_execution_exception` (queue full) and `cluster_block_exception`. */
  apply(operations: readonly WriteOperation[]): Promise<WriteResult[]>
  /** The current version of documents, in the order of `ids`; the version that searches see where it is not to be `realtime`. */
  get(index: IndexMeta, ids: readonly string[], realtime?: boolean): Promise<(StoredDocument | undefined)[]>
  /** Resolves when the tables show every write that was answered before, or cannot for now, as where the disk is full or the engine takes long. To be called before `visibility`. */
  shown(tables: Iterable<number>): Promise<void>
  /** As `shown`, however long the engine takes. */
  refreshed(tables: Iterable<number>): Promise<void>
  /**
   * The snapshot that every search of this table must filter by. Rows it shows stay in the engine while a hold that began before it lasts; without one
   * they may be deleted a moment after a write replaced them.
   */
  visibility(tableId: number): Visibility
  /** What the engine may hold of each table beside what a snapshot shows. */
  readonly contents: Pick<TableContents, 'holdsNothingAbove' | 'holdsOnly' | 'bounds' | 'restores'>
  /** Which tables have deletions that reads put together with their rows. */
  readonly patches: Pick<PatchedTables, 'isPatched'>
  /** What is known of columns from before the start. */
  readonly keptValues: Pick<KeptValues, 'of' | 'keep'>
  /** Begins a hold; the function given back ends it, once. Snapshots that are older must be held already, and are named. */
  hold(snapshots?: Iterable<Visibility>): () => void
  /** The same for whoever goes through rows one after the other, and replaces them itself. */
  holdUntilDone(): Hold
  /** Says that rows of a table are gone that no write replaced: its snapshot is another one from now on. */
  expired(tableId: number): void
  /** The highest `_seq_no` up to which an index may be read without a hole; -1 when it is empty. */
  checkpoint(index: IndexMeta): number
  /** Resolves when the checkpoint of the index rises above `after`, or after `timeoutMs`. */
  waitForCheckpoint(index: IndexMeta, after: number, timeoutMs: number, signal?: AbortSignal): Promise<number>
  /** What waits to be written, and how much there may be. */
  pressure(): WritePressure
  /** What was written to an index and is not in the engine yet: operations, and the bytes of the segments that hold them. */
  pending(index: IndexMeta): { operations: number; bytes: number }
  /** As `shown`, and throws why where the tables cannot show every write that was answered. */
  written(tables: Iterable<number>): Promise<void>
  /** Reserves `_seq` numbers for `count` rows that are put into an index the catalogue does not show yet; answers the first. */
  reserveRows(index: IndexMeta, count: number): Promise<number>
  /** Lets the rows be seen that were put into such an index, whose next `_seq_no` is given. */
  showRows(index: IndexMeta, nextSeqNo: number): Promise<void>
  /** Live documents and bytes on disk of an index, for `_cat/indices` and `_stats`. */
  stats(index: IndexMeta): Promise<{ documents: number; deleted: number; bytes: number }>
  close(): Promise<void>
}
