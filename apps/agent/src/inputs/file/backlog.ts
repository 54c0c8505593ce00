import { closeSync, fstatSync, readSync } from 'node:fs'
import {
  type FileBookmark,
  fingerprintBytesMax,
  inodeIn,
  inodeOf,
  isEndOf,
  isHeadOf,
  type KeptBookmark,
} from './bookmark.ts'
import { openLog } from './open-log.ts'
import { bytesOf } from './packed-file.ts'
import type { PackedHeads } from './packed-heads.ts'
import { packingOf, type RotatedFile, rotatedFiles } from './rotated-files.ts'
import type { Tail } from './tail.ts'

/** A rotated file that has something unread, and where to go on in it; from its beginning without a bookmark. */
export interface BacklogFile {
  readonly path: string
  readonly inode: string
  readonly kept: KeptBookmark | undefined
}

/** What a path's backlog is found by. */
export interface BacklogQuestion {
  readonly home: string
  /** The file before which these are read. It may have been rotated away itself by now, even compressed; what is younger is not asked for. */
  readonly before: Tail
  /** Bookmarks of files that were written at this path, by source. */
  readonly bookmarks: ReadonlyMap<string, FileBookmark>
  /** Whether the file at the path now was read before: then everything before it was, but for late lines of those that are known. */
  readonly isKnown: boolean
  /** Whether a file is being followed already. */
  readonly isFollowed: (inode: string) => boolean
  /** Files that were moved away from the path and are still being read: what was made of one meanwhile by a compression is read with it. */
  readonly open: readonly Tail[]
  /** What compressed files begin with, kept from one question to the next. */
  readonly heads: PackedHeads
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
  /** Where among these the file stands before which they are asked for; -1 where it does not. */
  readonly own: number
}

interface Candidate extends RotatedFile {
  kept: KeptBookmark | undefined
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
  const { bookmarks, isFollowed, isKnown } = question
  let seen = await matched(question)
  for (let left = triesMax; isStale(seen, question); left -= 1) {
    if (left === 0) throw new Error(`${question.home} is rotated faster than its files can be looked at`)
    seen = await matched(question)
  }
  const found = seen.own < 0 ? seen.found : seen.found.slice(0, seen.own)
  const youngest = found.findLastIndex(({ kept, isCopy, inode }) => kept !== undefined || isCopy || isFollowed(inode))
  const lastRead = Math.max(0, ...[...bookmarks.values()].map(({ read }) => read ?? Number.POSITIVE_INFINITY))
  const isUnread = (file: Candidate, index: number): boolean =>
    !isKnown && (youngest >= 0 ? index > youngest : file.modifiedMs > lastRead)
  return found.filter(
    (file, index) => !isFollowed(file.inode) && !file.isCopy && (file.kept !== undefined || isUnread(file, index)),
  )
}

async function matched(question: BacklogQuestion): Promise<Matched> {
  const { home, bookmarks, isExcluded, isFollowed, failed } = question
  const looked = rotatedFiles(home)
  const found: Candidate[] = looked
    .filter(({ path }) => !isExcluded(path))
    .map((file) => ({ ...file, kept: undefined, isCopy: false }))
  const open = new Map(bookmarks)
  const match = async (file: Candidate, among: readonly KeptBookmark[]): Promise<void> => {
    try {
      file.isCopy = !isFollowed(file.inode) && (await isCopyOfOpen(file, question))
      file.kept = file.isCopy ? undefined : await continued(file, among, question.heads)
      if (file.kept) open.delete(file.kept[0])
    } catch (thrown) {
      // What was renamed meanwhile is looked at again.
      if (rotatedFiles(home).some((now) => isSame(now, file))) failed(file.path, thrown)
      found.splice(found.indexOf(file), 1)
    }
  }
  for (const file of [...found]) {
    const own = [...open].filter(([source]) => inodeIn(source) === file.inode)
    if (own.length > 0) await match(file, own)
  }
  for (const file of found.filter(({ kept }) => !kept)) await match(file, [...open])
  return { looked, found, own: await placeOf(question.before, found, question.heads) }
}

/** Where a file stands among those that were rotated away; one that was compressed meanwhile is known by all that it holds. */
async function placeOf(tail: Tail, found: readonly Candidate[], heads: PackedHeads): Promise<number> {
  const place = found.findIndex(({ inode }) => inode === tail.inode)
  if (place >= 0 || !tail.isUnlinked) return place
  for (const [index, file] of found.entries()) {
    if (packingOf(file.path) !== undefined && (await hasBytesOf(file, tail, heads))) return index
  }
  return -1
}

// An open file is known by its bookmark; one that nothing was read of yet, by all that it holds.
async function isCopyOfOpen(file: Candidate, { open, bookmarks, heads }: BacklogQuestion): Promise<boolean> {
  for (const tail of open) {
    if (tail.inode === file.inode) continue
    const kept = bookmarks.get(tail.source)
    const bookmark = kept && isHeadOf(kept, tail.bytesAt(0, kept.fingerprint.bytes)) ? kept : undefined
    if (bookmark ? await continued(file, [[tail.source, bookmark]], heads) : await hasBytesOf(file, tail, heads))
      return true
  }
  return false
}

async function hasBytesOf(file: RotatedFile, tail: Tail, heads: PackedHeads): Promise<boolean> {
  const head = await headOf(file, heads)
  if (!tail.bytesAt(0, head.length).equals(head)) return false
  const { path, inode } = file
  let at = 0
  for await (const bytes of bytesOf(path, openFound(path, inode))) {
    if (!tail.bytesAt(at, bytes.length).equals(bytes)) return false
    at += bytes.length
  }
  return at > 0 && tail.bytesAt(at, 1).length === 0
}

/** The bookmark that a file's bytes continue; of several the one that is furthest. */
async function continued(
  file: RotatedFile,
  bookmarks: readonly KeptBookmark[],
  heads: PackedHeads,
): Promise<KeptBookmark | undefined> {
  const { path, inode } = file
  const head = await headOf(file, heads)
  const fitting = bookmarks.filter(([, bookmark]) => isHeadOf(bookmark, head))
  fitting.sort(([, a], [, b]) => b.position - a.position)
  for (const kept of fitting) {
    const [, bookmark] = kept
    const bytes = bookmark.last?.bytes ?? 0
    if (isEndOf(bookmark, await slice(path, inode, bookmark.position - bytes, bytes))) return kept
  }
  return undefined
}

/** What a file begins with; a compressed one is unpacked for it but once. */
function headOf(file: RotatedFile, heads: PackedHeads): Promise<Buffer> {
  const read = (): Promise<Buffer> => slice(file.path, file.inode, 0, fingerprintBytesMax)
  return packingOf(file.path) === undefined ? read() : heads.of(file, read)
}

/** Opens a file that was found; throws when its path has another one by now. */
export function openFound(path: string, inode: string): number {
  const file = openLog(path)
  const { dev, ino } = fstatSync(file)
  if (inodeOf(dev, ino) === inode) return file
  closeSync(file)
  throw new Error(`${path} was rotated again`)
}

/** Some bytes of an open file, which is closed then. */
function bytesBetween(file: number, from: number, length: number): Buffer {
  try {
    const bytes = Buffer.allocUnsafe(length)
    return bytes.subarray(0, readSync(file, bytes, 0, length, from))
  } finally {
    closeSync(file)
  }
}

/** Some bytes of what a file unpacks to; fewer where it ends. Of one that is not compressed nothing else is read: it may hold gigabytes before them. */
async function slice(path: string, inode: string, from: number, length: number): Promise<Buffer> {
  if (packingOf(path) === undefined) return bytesBetween(openFound(path, inode), from, length)
  const parts: Buffer[] = []
  let at = 0
  for await (const bytes of bytesOf(path, openFound(path, inode))) {
    parts.push(bytes.subarray(Math.max(0, from - at), Math.max(0, from + length - at)))
    at += bytes.length
    if (at >= from + length) break
  }
  return Buffer.concat(parts)
}
