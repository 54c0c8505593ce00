import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { z } from 'zod'

/** So many of a file's first bytes, and of the last line's, tell it from others. */
export const fingerprintBytesMax = 256

const fingerprintSchema = z.object({ bytes: z.number().int().min(0), crc: z.number() })

const bookmarkSchema = z.object({
  /** The byte behind the last line that is in the spool; of a compressed file, of what it unpacks to. */
  position: z.number().int().min(0),
  /** The file's first bytes: an inode that was given to another file has others. */
  fingerprint: fingerprintSchema,
  /** The end of the last line: with the first bytes it finds the file again under another inode, copied or compressed. */
  last: fingerprintSchema.optional(),
  /** The path that the file was written at, before it was rotated. */
  path: z.string().optional(),
  /** Milliseconds since 1970 when the last line was read. */
  read: z.number().optional(),
  /** How many pieces of the line that goes on at the position were read; absent where a line begins. */
  pieces: z.number().int().min(1).optional(),
})

/** Where reading a file goes on. */
export type FileBookmark = z.infer<typeof bookmarkSchema>

/** A file's name among the spool's bookmarks, and its bookmark. */
export type KeptBookmark = readonly [source: string, bookmark: FileBookmark]

/** The name of an inode, which no other file has while one is open; without an inode, how all such names begin. */
export function inodeOf(device?: number, inode?: number): string {
  return device === undefined ? 'file:' : `file:${device}:${inode}`
}

/**
 * A name among the spool's bookmarks for a file that is read for the first time. An inode is soon given to another file, perhaps one that is written at
 * another path: each has a name of its own, so that neither takes the other's bookmark.
 */
export function newSource(inode: string): string {
  return `${inode}:${randomBytes(4).toString('hex')}`
}

/** The inode that a file had when it got its name. Older agents named files by nothing else. */
export function inodeIn(source: string): string {
  return source.split(':', 3).join(':')
}

/** The bookmark that a spool kept; undefined for what is none. */
export function readBookmark(kept: unknown): FileBookmark | undefined {
  return bookmarkSchema.safeParse(kept).data
}

/** Knows bytes again without keeping them. */
export function fingerprintOf(bytes: Buffer): FileBookmark['fingerprint'] {
  return { bytes: bytes.length, crc: crc32(bytes) }
}

/** Whether the bytes before a bookmark's position are those that were read last. */
export function isEndOf({ last }: FileBookmark, end: Buffer): boolean {
  return last === undefined || (end.length === last.bytes && crc32(end) === last.crc)
}

/** Whether a file's first bytes are those of the bookmark. */
export function isHeadOf(bookmark: FileBookmark, head: Buffer): boolean {
  const { bytes, crc } = bookmark.fingerprint
  return head.length >= bytes && crc32(head.subarray(0, bytes)) === crc
}
