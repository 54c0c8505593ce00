import type { IndexMeta } from '../model/index-meta.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { CommitApplier } from './commit-applier.ts'
import type { CommitLog } from './commit-log.ts'
import type { TableContents } from './table-contents.ts'
import type { VisibleRows } from './visibility.ts'

/** What restored rows are numbered and shown with. */
export interface RestoredRowsContext {
  readonly log: CommitLog
  readonly applier: CommitApplier
  readonly visible: VisibleRows
  readonly checkpoints: Checkpoints
  readonly contents: TableContents
  /** The next `_seq` to give. */
  nextSeq(): number
  setNextSeq(next: number): void
}

/** Takes `count` numbers of `_seq`, durably; notes the next `_seq_no` of an index with them. Only between two batches. */
async function take(
  { log, nextSeq, setNextSeq }: RestoredRowsContext,
  count: number,
  index: number,
  nextSeqNo: number,
): Promise<number> {
  const first = nextSeq()
  const record = { seq: first + count - 1, segments: [], dead: [] }
  // With its counter noted the index is one of those whose rows are swept away when it never comes into the catalogue.
  await log.begin(record, first + count, new Map([[index, nextSeqNo]]))
  setNextSeq(first + count)
  return first
}

/** Reserves numbers for the rows of a restored index; answers the first. Only between two batches. */
export async function reserveRows(context: RestoredRowsContext, index: IndexMeta, count: number): Promise<number> {
  const first = await take(context, count, index.id, 0)
  context.contents.restoring(index, first + count - 1)
  return first
}

/** Raises what the readers of the index's table see above its rows. Only between two batches. */
export async function showRows(context: RestoredRowsContext, index: IndexMeta, nextSeqNo: number): Promise<void> {
  // Rows that are on their way must be shown with what they replace, not by this.
  await context.applier.settled(new Set([index.table]))
  const seq = await take(context, 1, index.id, nextSeqNo)
  context.contents.restored(index.table)
  context.visible.commit(seq, [], [index.table])
  context.checkpoints.reach(index.id, nextSeqNo - 1)
}
