import { closeSync, fstatSync, readSync, type Stats } from 'node:fs'
import {
  type FileBookmark,
  fingerprintBytesMax,
  fingerprintOf,
  inodeOf,
  isEndOf,
  isHeadOf,
  type KeptBookmark,
  newSource,
} from './bookmark.ts'
import { type LineEncoding, utf8 } from './encoding.ts'
import { type CutLine, LineCutter, type LineLimits } from './line-cutter.ts'
import { openLog } from './open-log.ts'

const chunkBytes = 64 * 1024
/** Two changes within a tick of the kernel's clock have the same time. */
const settledMs = 1_000
const linePiecesMaxDefault = 64

/** A line or a piece of one, where it began, and the bookmark behind it. */
export interface TailedLine {
  readonly text: string
  readonly offset: number
  readonly bookmark: FileBookmark
  /** `partial` for a piece, `truncated` where the rest of the line was left out. */
  readonly tags?: readonly string[]
}

/** Limits of one file's reading. */
export interface TailLimits {
  readonly lineBytesMax: number
  /** 64 when absent. */
  readonly linePiecesMax?: number
  /** UTF-8 when absent. */
  readonly encoding?: LineEncoding
}

/** An open file: its number, where it is, its inode's name and its own among the spool's bookmarks, and where it was written. */
export interface OpenFile {
  readonly number: number
  readonly path: string
  readonly inode: string
  readonly source: string
  readonly home: string
}

/** A line that was cut from `bytes`, which begin at `position` of a file with these first bytes. */
export function lineAt(
  line: CutLine,
  from: {
    readonly position: number
    readonly bytes: Buffer
    readonly head: Buffer
    readonly home: string
    readonly read: number
  },
): TailedLine {
  const position = from.position + line.next
  const end = from.bytes.subarray(Math.max(line.at, line.next - fingerprintBytesMax), line.next)
  return {
    text: line.text,
    offset: from.position + line.at,
    bookmark: {
      position,
      fingerprint: fingerprintOf(from.head.subarray(0, position)),
      last: fingerprintOf(end),
      path: from.home,
      read: from.read,
      ...(line.pieces > 0 ? { pieces: line.pieces } : {}),
    },
    ...(line.tags.length > 0 ? { tags: line.tags } : {}),
  }
}

/**
 * One open file, followed by its inode: renaming does not disturb it, truncating it (or writing it anew: copytruncate) starts from the beginning.
 * Half a line is left until its end arrives.
 */
export class Tail {
  readonly inode: string
  /** Its name among the spool's bookmarks; another one once it was cut, as what it held before may go on elsewhere. */
  source: string
  /** Where it was written before it was rotated. */
  home: string
  path: string
  /** Since when it is at no path that is followed, by `performance.now()`. */
  goneSince: number | undefined
  /** Whether the last call of `read` came to the end of the file. */
  isDrained = false
  readonly #file: number
  readonly #limits: LineLimits
  readonly #cutter: LineCutter
  #position = 0
  #movedAt = performance.now()
  /** How it was before it was read to its end. */
  #seen: Stats | undefined
  #head: Buffer = Buffer.alloc(0)

  private constructor(file: OpenFile, limits: TailLimits) {
    this.path = file.path
    this.#file = file.number
    this.inode = file.inode
    this.source = file.source
    this.home = file.home
    this.#limits = { linePiecesMax: linePiecesMaxDefault, encoding: utf8, ...limits }
    this.#cutter = new LineCutter(this.#limits)
  }

  /**
   * Opens a file and goes on at its bookmark, when one of those of its inode is of this very file. `home` is where it was written unless the bookmark knows.
   * Throws what opening throws.
   */
  static open(
    path: string,
    bookmarksOf: (inode: string) => readonly KeptBookmark[],
    limits: TailLimits,
    home = path,
  ): Tail {
    const number = openLog(path)
    const { dev, ino } = fstatSync(number)
    const inode = inodeOf(dev, ino)
    return Tail.take({ number, path, inode, source: newSource(inode), home }, bookmarksOf(inode), limits)
  }

  /** The same for a file that is open already. */
  static take(file: OpenFile, bookmarks: readonly KeptBookmark[], limits: TailLimits): Tail {
    const tail = new Tail(file, limits)
    tail.#goOn(bookmarks)
    return tail
  }

  /**
   * Whole lines from where the last call stopped, at most about 64 KiB or the longest line; with `isLast` also a line without an end. Nothing of a file that was replaced
   * where it is not to begin anew.
   */
  read({ isLast = false, restarts = true } = {}): TailedLine[] {
    const stats = fstatSync(this.#file)
    if (!isLast && this.#isUntouched(stats)) return []
    if (restarts) this.restartIfReplaced()
    else if (this.#wasReplaced) return []
    const wanted = Math.max(chunkBytes, this.#limits.lineBytesMax + 1)
    const chunk = this.bytesAt(this.#position, wanted)
    if (this.#position === 0) this.#cutter.begin(chunk)
    this.isDrained = chunk.length < wanted
    this.#seen = this.isDrained && Date.now() - stats.ctimeMs > settledMs ? stats : undefined
    const { lines, used } = this.#cutter.cut(chunk, isLast)
    this.#fillHead(this.#position + used)
    const from = { position: this.#position, bytes: chunk, head: this.#head, home: this.home, read: Date.now() }
    this.#position += used
    if (used > 0) this.#movedAt = performance.now()
    return lines.flatMap((line) => (line.text === '' ? [] : [lineAt(line, from)]))
  }

  /** The byte behind the last line that was read. */
  get position(): number {
    return this.#position
  }

  /** How many milliseconds ago the last line was read, where there was nothing more to read since; 0 where there may be. */
  get quietForMs(): number {
    return this.#seen ? performance.now() - this.#movedAt : 0
  }

  /** Whether the file is at no path at all any more. */
  get isUnlinked(): boolean {
    return fstatSync(this.#file).nlink === 0
  }

  /** Reads again from here: what `read` gave was not taken. */
  rewind(line: TailedLine): void {
    this.#position = line.offset
    this.#seen = undefined
    this.#cutter.restart()
  }

  /** Begins anew, and answers true, when the file was cut or written anew since it was read. */
  restartIfReplaced(): boolean {
    if (!this.#wasReplaced) return false
    this.source = newSource(this.inode)
    this.#position = 0
    this.#head = Buffer.alloc(0)
    this.#cutter.restart()
    return true
  }

  close(): void {
    closeSync(this.#file)
  }

  #goOn(bookmarks: readonly KeptBookmark[]): void {
    const own = bookmarks.filter(([, bookmark]) => this.#isOf(bookmark))
    const [found] = own.sort(([, a], [, b]) => b.position - a.position)
    if (!found) return
    const [source, bookmark] = found
    this.source = source
    this.#head = this.bytesAt(0, bookmark.fingerprint.bytes)
    this.#position = bookmark.position
    this.#cutter.begin(this.#head)
    this.#cutter.restart(bookmark.pieces)
    this.home = bookmark.path ?? this.home
  }

  #isOf(bookmark: FileBookmark): boolean {
    const { position, fingerprint, last } = bookmark
    if (fstatSync(this.#file).size < position) return false
    const lastBytes = last?.bytes ?? 0
    const end = this.bytesAt(position - lastBytes, lastBytes)
    return isHeadOf(bookmark, this.bytesAt(0, fingerprint.bytes)) && isEndOf(bookmark, end)
  }

  /** Whether nothing was done to the file since it was read to its end. Its time of change is the kernel's own: nobody sets it back. */
  #isUntouched({ size, ctimeMs }: Stats): boolean {
    return this.#seen?.ctimeMs === ctimeMs && this.#seen.size === size
  }

  /** Whether the file was cut or written anew since it was read. */
  get #wasReplaced(): boolean {
    if (this.#position === 0) return false
    const stats = fstatSync(this.#file)
    if (this.#isUntouched(stats)) return false
    if (stats.size < this.#position) return true
    return !this.bytesAt(0, this.#head.length).equals(this.#head)
  }

  #fillHead(until: number): void {
    const wanted = Math.min(until, fingerprintBytesMax)
    if (this.#head.length < wanted) this.#head = this.bytesAt(0, wanted)
  }

  /** Some bytes of the file, wherever it lies now; fewer where it ends. */
  bytesAt(position: number, length: number): Buffer {
    const size = Math.min(length, Math.max(0, fstatSync(this.#file).size - position))
    const bytes = Buffer.allocUnsafe(size)
    const got = size === 0 ? 0 : readSync(this.#file, bytes, 0, size, position)
    return bytes.subarray(0, got)
  }
}
