import { type FileHandle, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Segment, SegmentColumn, SegmentFormat } from '../engine/engine.ts'

/** What a commit record says of a segment file: enough to insert it again, or to see that it is torn. */
export interface SegmentRecord {
  /** Catalogue id and name of the table. */
  readonly tableId: number
  readonly table: string
  readonly partition: number
  /** The name of the file in the directory of segments. */
  readonly file: string
  readonly bytes: number
  /** CRC-32 of the bytes. */
  readonly checksum: number
  readonly columns: readonly SegmentColumn[]
  /** Absent in records of 0.1, whose segments are RowBinary. */
  readonly format?: SegmentFormat
  readonly rows: number
  /** The rows' `_seq` lie in this range, both ends included. */
  readonly firstSeq: number
  readonly lastSeq: number
  /** The last `_time` of its rows, epoch milliseconds; absent in records of before. */
  readonly newestMs?: number
}

/** Writes all of the pieces; a full disk takes some of them before it refuses the rest. */
async function writeAll(handle: FileHandle, pieces: readonly Buffer[]): Promise<void> {
  let rest = [...pieces]
  while (rest.length > 0) {
    let { bytesWritten: written } = await handle.writev(rest)
    while (rest[0] !== undefined && written >= rest[0].length) written -= rest.shift()?.length ?? 0
    if (written > 0) rest = [rest[0]?.subarray(written) ?? Buffer.alloc(0), ...rest.slice(1)]
  }
}

/** Files that were written before and are not needed any more. */
export interface SpareFiles {
  /** Makes a spare file the file of that name, for so many bytes; false when there is none or these are few. */
  reuse(file: string, bytes: number): Promise<boolean>
}

/**
 * Writes bytes, given in pieces, to a file that was not there, made of a spare one where there is one, and flushes it; answers their checksum. What a full disk cut short
 * is removed. The directory must be flushed after it (`flushDirectory`).
 */
export async function writeSegment(
  directory: string,
  file: string,
  pieces: readonly Buffer[],
  files?: SpareFiles,
): Promise<number> {
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0)
  const isSpare = (await files?.reuse(file, bytes)) === true
  const handle = await open(join(directory, file), isSpare ? 'r+' : 'wx', 0o600)
  try {
    await writeAll(handle, pieces)
    if (isSpare) await handle.truncate(bytes)
    await handle.datasync()
  } catch (thrown) {
    // The numbers of the rows were not used, so the next batch may want the same name.
    await removeSegment(directory, file)
    throw thrown
  } finally {
    await handle.close()
  }
  // Of no bytes at all the library answers zero, whatever came before.
  return pieces.reduce((sum, piece) => (piece.length === 0 ? sum : crc32(piece, sum)), 0)
}

/** A segment before it is written. */
export interface SegmentDraft {
  readonly record: Omit<SegmentRecord, 'checksum'>
  readonly content: readonly Buffer[]
}

/** Puts segments on disk. When one fails the others have come to their end too, and are left to be removed. */
export async function writeSegments(
  directory: string,
  drafts: readonly SegmentDraft[],
  files?: SpareFiles,
): Promise<SegmentRecord[]> {
  const written = await Promise.allSettled(
    drafts.map(async ({ record, content }) => {
      return { ...record, checksum: await writeSegment(directory, record.file, content, files) }
    }),
  )
  if (written.length > 0) await flushDirectory(directory)
  return written.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}

/** Makes the names of new files in a directory durable. */
export async function flushDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Whether the file of a segment is there, whole and unchanged. */
export async function isIntact(directory: string, segment: SegmentRecord): Promise<boolean> {
  try {
    const bytes = await readFile(join(directory, segment.file))
    return bytes.length === segment.bytes && crc32(bytes) === segment.checksum
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return false
    throw thrown
  }
}

/** The end of the names of segments that the engine refused: nothing removes them. */
export const refusedSuffix = '.refused'

/** What the engine inserts of segments in a directory, which must be for one partition of one table; several must be of the Native format. */
export function insertOf(segments: readonly SegmentRecord[], directory: string, isIndexedLater: boolean): Segment {
  const [first] = segments
  if (first === undefined) throw new Error('BUG: an insert of no segment')
  const columns = new Map(segments.flatMap((segment) => segment.columns.map((column) => [column.name, column])))
  return {
    table: first.table,
    directory,
    files: segments.map(({ file }) => file),
    columns: [...columns.values()],
    rows: segments.reduce((sum, { rows }) => sum + rows, 0),
    format: first.format ?? 'RowBinary',
    isIndexedLater,
  }
}

/** Removes a segment file; one that is gone already is fine. */
export async function removeSegment(directory: string, file: string): Promise<void> {
  try {
    await unlink(join(directory, file))
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT')) throw thrown
  }
}
