import { closeSync, fstatSync, openSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { type FileBookmark, fingerprintBytesMax, isHeadOf } from './bookmark.ts'
import { bytesOf } from './packed-file.ts'
import { type RotatedFile, rotatedFiles } from './rotated-files.ts'
import { sourceOf, type Tail } from './tail.ts'

/** A rotated file that has something unread, and where to go on in it; from its beginning without a bookmark. */
export interface BacklogFile {
  readonly path: string
  readonly source: string
  readonly bookmark: FileBookmark | undefined
}

/** What a path's backlog is found by. */
export interface BacklogQuestion {
  readonly home: string
  /** The file before which these are read. It may have been rotated away itself by now; what is younger is not asked for. */
  readonly before: string
  /** Bookmarks of files that were written at this path, by source. */
  readonly bookmarks: ReadonlyMap<string, FileBookmark>
  /** Whether the file at the path now was read before: then everything before it was, but for late lines of those that are known. */
  readonly isKnown: boolean
  /** Whether a file is being followed already. */
  readonly isFollowed: (source: string) => boolean
  /** Files that were moved away from the path and are still being read: what was made of one meanwhile by a compression is read with it. */
  readonly open: readonly Tail[]
  /** Whether a path is not to be read at all. */
  readonly isExcluded: (path: string) => boolean
  /** Told of files that cannot be read. */
  readonly failed: (path: string, thrown: unknown) => void
}

const triesMax = 5

/** Whether files were renamed, compressed or came to be while they were looked at. */
function isStale({ looked }: Matched, { home }: BacklogQuestion): boolean {
  const now = rotatedFiles(home)
  return now.length !== looked.length || now.some(({ path, inode }, at) => !isSame(looked[at], { path, inode }))
}

function isSame(file: RotatedFile | undefined, { path, inode }: Pick<RotatedFile, 'path' | 'inode'>): boolean {
  return file?.path === path && file.inode === inode
}

interface Matched {
  /** Everything that lay there. */
  readonly looked: readonly RotatedFile[]
  /** What could be read of it, and is not excluded. */
  readonly found: readonly Candidate[]
}

interface Candidate extends RotatedFile {
  readonly source: string
  bookmark: FileBookmark | undefined
  /** Whether it holds what is read of a file that is still open. */
  isCopy: boolean
}

/**
 * The files that were rotated away from a path while nobody looked, oldest first: those that continue a bookmark — the same inode, or the same first bytes
 * and the same last line under another one, copied or compressed — and all that are younger than the youngest of them: older ones are read first, so what
 * lies between two of them was read, and its bookmark given up or overwritten by a file that got its inode. When the file that was read last is gone,
 * those that were written to after it was read. Throws while files are renamed faster than they can be looked at.
 */
export async function findBacklog(question: BacklogQuestion): Promise<BacklogFile[]> {
  const { before, bookmarks, isFollowed, isKnown } = question
  let seen = await matched(question)
  for (let left = triesMax; isStale(seen, question); left -= 1) {
    if (left === 0) throw new Error(`${question.home} is rotated faster than its files can be looked at`)
    seen = await matched(question)
  }
  const own = seen.found.findIndex(({ source }) => source === before)
  const found = own < 0 ? seen.found : seen.found.slice(0, own)
  const youngest = found.findLastIndex(
    ({ bookmark, isCopy, source }) => bookmark !== undefined || isCopy || isFollowed(source),
  )
  const lastRead = Math.max(0, ...[...bookmarks.values()].map(({ read }) => read ?? Number.POSITIVE_INFINITY))
  const isUnread = (file: Candidate, index: number): boolean =>
    !isKnown && (youngest >= 0 ? index > youngest : file.modifiedMs > lastRead)
  return found.filter(
    (file, index) => !isFollowed(file.source) && !file.isCopy && (file.bookmark !== undefined || isUnread(file, index)),
  )
}

async function matched(question: BacklogQuestion): Promise<Matched> {
  const { home, bookmarks, isExcluded, isFollowed, failed } = question
  const looked = rotatedFiles(home)
  const found: Candidate[] = looked
    .filter(({ path }) => !isExcluded(path))
    .map((file) => ({ ...file, source: sourceOf(file.device, file.inode), bookmark: undefined, isCopy: false }))
  const open = new Map(bookmarks)
  const match = async (file: Candidate, among: readonly [string, FileBookmark][]): Promise<void> => {
    try {
      file.isCopy = !isFollowed(file.source) && (await isCopyOfOpen(file, question))
      const [source, bookmark] = file.isCopy ? [] : ((await continued(file, among)) ?? [])
      if (source === undefined) return
      file.bookmark = bookmark
      open.delete(source)
    } catch (thrown) {
      // What was renamed meanwhile is looked at again.
      if (rotatedFiles(home).some((now) => isSame(now, file))) failed(file.path, thrown)
      found.splice(found.indexOf(file), 1)
    }
  }
  for (const file of [...found]) {
    const own = open.get(file.source)
    if (own) await match(file, [[file.source, own]])
  }
  for (const file of found.filter(({ bookmark }) => !bookmark)) await match(file, [...open])
  return { looked, found }
}

// An open file is known by its bookmark; one that nothing was read of yet, by all that it holds: what is kept for its inode is that of a file before it.
async function isCopyOfOpen({ path, source: own }: Candidate, { open, bookmarks }: BacklogQuestion): Promise<boolean> {
  for (const tail of open) {
    if (tail.source === own) continue
    const kept = bookmarks.get(tail.source)
    const bookmark = kept && isHeadOf(kept, tail.bytesAt(0, kept.fingerprint.bytes)) ? kept : undefined
    if (
      bookmark ? await continued({ path, source: own }, [[tail.source, bookmark]]) : await hasBytesOf(path, own, tail)
    )
      return true
  }
  return false
}

async function hasBytesOf(path: string, source: string, tail: Tail): Promise<boolean> {
  let at = 0
  for await (const bytes of bytesOf(path, openFound(path, source))) {
    if (!tail.bytesAt(at, bytes.length).equals(bytes)) return false
    at += bytes.length
  }
  return at > 0 && tail.bytesAt(at, 1).length === 0
}

/** The bookmark that a file's bytes continue; of several the one that is furthest. */
async function continued(
  { path, source: own }: Pick<Candidate, 'path' | 'source'>,
  bookmarks: readonly [string, FileBookmark][],
): Promise<[string, FileBookmark] | undefined> {
  const head = await slice(path, own, 0, fingerprintBytesMax)
  const fitting = bookmarks.filter(([, bookmark]) => isHeadOf(bookmark, head))
  fitting.sort(([, a], [, b]) => b.position - a.position)
  for (const [source, bookmark] of fitting) {
    const { bytes, crc } = bookmark.last ?? { bytes: 0, crc: crc32('') }
    const last = await slice(path, own, bookmark.position - bytes, bytes)
    if (last.length === bytes && crc32(last) === crc) return [source, bookmark]
  }
  return undefined
}

/** Opens a file that was found; throws when its path has another one by now. */
export function openFound(path: string, source: string): number {
  const file = openSync(path, 'r')
  const { dev, ino } = fstatSync(file)
  if (sourceOf(dev, ino) === source) return file
  closeSync(file)
  throw new Error(`${path} was rotated again`)
}

/** Some bytes of what a file unpacks to; fewer where it ends. */
async function slice(path: string, source: string, from: number, length: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let at = 0
  for await (const bytes of bytesOf(path, openFound(path, source))) {
    parts.push(bytes.subarray(Math.max(0, from - at), Math.max(0, from + length - at)))
    at += bytes.length
    if (at >= from + length) break
  }
  return Buffer.concat(parts)
}
