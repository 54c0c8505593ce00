import type { LineEncoding } from './encoding.ts'

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

/** Cuts bytes that come in portions into lines. No line is held: one without an end comes in pieces, and its rest is passed over. */
export class LineCutter {
  readonly #limits: LineLimits
  #pieces: number

  /** `pieces` of the line that the first bytes belong to were cut before. */
  constructor(limits: LineLimits, pieces = 0) {
    this.#limits = limits
    this.#pieces = pieces
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
      const next = this.#pieces >= this.#limits.linePiecesMax ? this.#passOver(bytes, at) : this.#line(bytes, at, isEnd)
      if (next === undefined) break
      if (typeof next !== 'number') lines.push(next)
      at = typeof next === 'number' ? next : next.next
    }
    return { lines, used: at }
  }

  /** Where the next line begins, or the end of the bytes. */
  #passOver(bytes: Buffer, at: number): number | undefined {
    const { encoding } = this.#limits
    const newline = encoding.newline(bytes, at)
    const whole = bytes.length - ((bytes.length - at) % encoding.unit)
    if (newline < 0) return whole > at ? whole : undefined
    this.#pieces = 0
    return newline + encoding.unit
  }

  #line(bytes: Buffer, at: number, isEnd: boolean): CutLine | undefined {
    const { encoding, lineBytesMax, linePiecesMax } = this.#limits
    const newline = encoding.newline(bytes, at)
    const isLong = newline < 0 ? bytes.length - at > lineBytesMax : newline - at > lineBytesMax
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
