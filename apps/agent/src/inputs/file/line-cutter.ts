import { type LineEncoding, markedEncoding, utf8 } from './encoding.ts'

/** How lines are cut from bytes. */
export interface LineLimits {
  /** A longer line comes in pieces of this size. */
  readonly lineBytesMax: number
  /** What follows so many pieces of one line is left out. */
  readonly linePiecesMax: number
  readonly encoding: LineEncoding
}

/** A line, or a piece of one, between two positions of the bytes given. */
export interface CutLine {
  readonly text: string
  readonly at: number
  readonly next: number
  /** How many pieces of its line there are so far; 0 when the line ends with it. */
  readonly pieces: number
  readonly tags: readonly string[]
}

const zeros = Buffer.alloc(64 * 1024)

/**
 * Cuts bytes that come in portions into lines. No line is held: one without an end comes in pieces, and its rest is passed over. Zeros before a line are none of
 * it: a file that was cut under a program that goes on at its old place begins with as many as it was long.
 */
export class LineCutter {
  readonly #limits: LineLimits
  #encoding: LineEncoding
  #pieces: number

  /** `pieces` of the line that the first bytes belong to were cut before. */
  constructor(limits: LineLimits, pieces = 0) {
    this.#limits = limits
    this.#encoding = limits.encoding
    this.#pieces = pieces
  }

  /** Says what the file begins with: a byte order mark of UTF-16 counts where UTF-8 was expected. */
  begin(head: Buffer): void {
    if (this.#limits.encoding === utf8) this.#encoding = markedEncoding(head) ?? utf8
  }

  /** The next bytes begin `pieces` pieces into a line. */
  restart(pieces = 0): void {
    this.#pieces = pieces
  }

  /** The lines in `bytes`, and how many bytes they and what was passed over took; what is left is to be given again with more behind it. `isEnd`: nothing will follow. */
  cut(bytes: Buffer, isEnd: boolean): { readonly lines: CutLine[]; readonly used: number } {
    const lines: CutLine[] = []
    let at = 0
    while (at < bytes.length) {
      const next = this.#next(bytes, at, isEnd)
      if (next === undefined) break
      if (typeof next !== 'number') lines.push(next)
      at = typeof next === 'number' ? next : next.next
    }
    return { lines, used: at }
  }

  /** The line that begins at a place, or where to go on without one; undefined where more bytes are needed. */
  #next(bytes: Buffer, at: number, isEnd: boolean): CutLine | number | undefined {
    if (this.#pieces >= this.#limits.linePiecesMax) return this.#passOver(bytes, at)
    if (this.#pieces > 0 || bytes[at] !== 0) return this.#line(bytes, at, isEnd)
    const begin = this.#behindZeros(bytes, at)
    if (begin === at) return this.#line(bytes, at, isEnd)
    // Those at the end may be room that was made for lines to come.
    return begin + this.#encoding.unit <= bytes.length || isEnd || this.#isLong(begin - at) ? begin : undefined
  }

  /** Where the first unit that is no zero begins, or where there is none left. */
  #behindZeros(bytes: Buffer, from: number): number {
    const { unit } = this.#encoding
    let at = from
    while (bytes.length - at >= zeros.length && bytes.compare(zeros, 0, zeros.length, at, at + zeros.length) === 0)
      at += zeros.length
    while (at + unit <= bytes.length && bytes[at] === 0 && bytes[at + unit - 1] === 0) at += unit
    return at
  }

  #isLong(bytes: number): boolean {
    return bytes > this.#limits.lineBytesMax - (this.#limits.lineBytesMax % this.#encoding.unit)
  }

  /** Where the next line begins, or the end of the bytes. */
  #passOver(bytes: Buffer, at: number): number | undefined {
    const encoding = this.#encoding
    const newline = encoding.newline(bytes, at)
    const whole = bytes.length - ((bytes.length - at) % encoding.unit)
    if (newline < 0) return whole > at ? whole : undefined
    this.#pieces = 0
    return newline + encoding.unit
  }

  #line(bytes: Buffer, at: number, isEnd: boolean): CutLine | undefined {
    const { linePiecesMax } = this.#limits
    const encoding = this.#encoding
    const lineBytesMax = this.#limits.lineBytesMax - (this.#limits.lineBytesMax % encoding.unit)
    const newline = encoding.newline(bytes, at)
    const isLong = this.#isLong((newline < 0 ? bytes.length : newline) - at)
    if (!isLong && newline < 0 && !isEnd) return undefined
    if (isLong) {
      this.#pieces += 1
      const next = encoding.boundary(bytes, at + lineBytesMax)
      const tags = this.#pieces === linePiecesMax ? ['partial', 'truncated'] : ['partial']
      return { text: encoding.decode(bytes.subarray(at, next)), at, next, pieces: this.#pieces, tags }
    }
    const tags = this.#pieces > 0 ? ['partial'] : []
    this.#pieces = 0
    const end = newline < 0 ? bytes.length : newline
    const next = newline < 0 ? end : newline + encoding.unit
    return { text: encoding.decode(bytes.subarray(at, end)).replace(/\r$/, ''), at, next, pieces: 0, tags }
  }
}
