import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { type LineEncoding, utf8 } from './encoding.ts'

const fingerprintBytesMax = 256
const chunkBytes = 256 * 1024

const bookmarkSchema = z.object({
  /** The byte behind the last line that is in the spool. */
  position: z.number().int().min(0),
  /** The file's first bytes: an inode that was given to another file has others. */
  fingerprint: z.object({ bytes: z.number().int().min(0), crc: z.number() }),
})

/** Where reading a file goes on. */
export type FileBookmark = z.infer<typeof bookmarkSchema>

/** A line, where it began, and the bookmark behind it. */
export interface TailedLine {
  readonly text: string
  readonly offset: number
  readonly bookmark: FileBookmark
}

/** Limits of one file's reading. */
export interface TailLimits {
  /** A longer line comes in pieces of this size. */
  readonly lineBytesMax: number
  /** UTF-8 when absent. */
  readonly encoding?: LineEncoding
}

/**
 * One open file, followed by its inode: renaming does not disturb it, truncating it (or writing it anew: copytruncate) starts from the beginning.
 * Half a line is left until its end arrives.
 */
export class Tail {
  readonly source: string
  path: string
  readonly #file: number
  readonly #limits: TailLimits
  readonly #encoding: LineEncoding
  #position = 0
  #head: Buffer = Buffer.alloc(0)

  private constructor(path: string, file: number, source: string, limits: TailLimits) {
    this.path = path
    this.#file = file
    this.source = source
    this.#limits = limits
    this.#encoding = limits.encoding ?? utf8
  }

  /** Opens a file and goes on at its bookmark, when that is of this very file. Throws what opening throws. */
  static open(path: string, bookmarkOf: (source: string) => unknown, limits: TailLimits): Tail {
    const file = openSync(path, 'r')
    const { dev, ino } = fstatSync(file)
    const tail = new Tail(path, file, sourceOf(dev, ino), limits)
    tail.#goOn(bookmarkSchema.safeParse(bookmarkOf(tail.source)).data)
    return tail
  }

  /** Whole lines from where the last call stopped, at most about 256 KiB; with `lastCall` also a line without an end. */
  read(lastCall = false): TailedLine[] {
    if (this.#wasReplaced()) this.#restart()
    const chunk = this.#bytes(this.#position, Math.max(chunkBytes, this.#limits.lineBytesMax + 1))
    const encoding = this.#encoding
    const lines: TailedLine[] = []
    let at = 0
    while (at < chunk.length) {
      const newline = encoding.newline(chunk, at)
      const { end, next } = this.#lineEnd({ chunk, at, newline, lastCall })
      if (next === undefined) break
      this.#fillHead(this.#position + next)
      const text = encoding.decode(chunk.subarray(at, end)).replace(/\r$/, '')
      const bookmark = { position: this.#position + next, fingerprint: this.#fingerprint(this.#position + next) }
      if (text !== '') lines.push({ text, offset: this.#position + at, bookmark })
      at = next
    }
    this.#position += at
    return lines
  }

  /** The byte behind the last line that was read. */
  get position(): number {
    return this.#position
  }

  /** Reads again from here: what `read` gave was not taken. */
  rewind(line: TailedLine): void {
    this.#position = line.offset
  }

  close(): void {
    closeSync(this.#file)
  }

  #lineEnd(from: { chunk: Buffer; at: number; newline: number; lastCall: boolean }): { end: number; next?: number } {
    const { chunk, at, newline, lastCall } = from
    const { lineBytesMax } = this.#limits
    if (newline >= 0 && newline - at <= lineBytesMax) return { end: newline, next: newline + this.#encoding.unit }
    if (newline >= 0 || chunk.length - at > lineBytesMax) return { end: at + lineBytesMax, next: at + lineBytesMax }
    return lastCall ? { end: chunk.length, next: chunk.length } : { end: chunk.length }
  }

  #goOn(bookmark: FileBookmark | undefined): void {
    if (!bookmark) return
    const head = this.#bytes(0, bookmark.fingerprint.bytes)
    const isSame = head.length === bookmark.fingerprint.bytes && crc32(head) === bookmark.fingerprint.crc
    if (!isSame || fstatSync(this.#file).size < bookmark.position) return
    this.#head = head
    this.#position = bookmark.position
  }

  #wasReplaced(): boolean {
    if (this.#position === 0) return false
    if (fstatSync(this.#file).size < this.#position) return true
    return !this.#bytes(0, this.#head.length).equals(this.#head)
  }

  #restart(): void {
    this.#position = 0
    this.#head = Buffer.alloc(0)
  }

  #fillHead(until: number): void {
    const wanted = Math.min(until, fingerprintBytesMax)
    if (this.#head.length < wanted) this.#head = this.#bytes(0, wanted)
  }

  #fingerprint(until: number): FileBookmark['fingerprint'] {
    const bytes = Math.min(until, this.#head.length)
    return { bytes, crc: crc32(this.#head.subarray(0, bytes)) }
  }

  #bytes(position: number, length: number): Buffer {
    const size = Math.min(length, Math.max(0, fstatSync(this.#file).size - position))
    const bytes = Buffer.allocUnsafe(size)
    const got = size === 0 ? 0 : readSync(this.#file, bytes, 0, size, position)
    return bytes.subarray(0, got)
  }
}

/** The name of a file's inode among the spool's bookmarks. */
export function sourceOf(device: number, inode: number): string {
  return `file:${device}:${inode}`
}
