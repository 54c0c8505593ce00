const two32 = 2 ** 32

/** Of a text of one byte a letter: what JSON writes otherwise. Looking at each byte of a buffer takes JavaScript ten times as long. */
const writtenOtherwise = /[^\P{Cc}\x7f-\x9f]|["\\]/u

/**
 * Reads cells of RowBinary, one after the other, and makes no view of memory but the ones asked for: a view costs as much as the rest of a cell, and is dear to
 * collect.
 */
export class CellReader {
  readonly #buffer: Buffer
  #at = 0

  constructor(buffer: Buffer) {
    this.#buffer = buffer
  }

  /** Whether all was read. */
  get ended(): boolean {
    return this.#at >= this.#buffer.length
  }

  uint32(): number {
    this.#at += 4
    return this.#buffer.readUInt32LE(this.#at - 4)
  }

  /** An unsigned 64-bit integer below 2^53. */
  uint64(): number {
    const low = this.uint32()
    return this.uint32() * two32 + low
  }

  /** Exact: a number where that is one, else a bigint. */
  int64(): number | bigint {
    this.#at += 8
    const value = this.#buffer.readInt32LE(this.#at - 4) * two32 + this.#buffer.readUInt32LE(this.#at - 8)
    return Number.isSafeInteger(value) ? value : this.#buffer.readBigInt64LE(this.#at - 8)
  }

  /** Whether the next cell, of a column that may be null, is null. */
  isNull(): boolean {
    this.#at += 1
    return this.#buffer[this.#at - 1] === 1
  }

  /** An unsigned length, seven bits a byte. */
  length7(): number {
    let value = 0
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.#buffer[this.#at] ?? 0
      this.#at += 1
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
  }

  string(): string {
    const size = this.length7()
    this.#at += size
    return size === 0 ? '' : this.#buffer.toString('utf8', this.#at - size, this.#at)
  }

  /** Passes over a text and tells where it was. */
  span(): Span {
    const size = this.length7()
    this.#at += size
    return { from: this.#at - size, to: this.#at }
  }

  /** The bytes of a span; they share memory with what is read. */
  bytes({ from, to }: Span): Buffer {
    return this.#buffer.subarray(from, to)
  }

  /** The bytes of one span with those of another put in at `at`, as they are between the quotes of a JSON string. */
  withQuoted({ from, to }: Span, at: number, text: Span): Buffer {
    const buffer = this.#buffer
    const between = writtenOtherwise.test(buffer.toString('latin1', text.from, text.to))
      ? Buffer.from(JSON.stringify(buffer.toString('utf8', text.from, text.to)).slice(1, -1))
      : undefined
    const size = between?.length ?? text.to - text.from
    const made = Buffer.allocUnsafe(to - from + size)
    buffer.copy(made, 0, from, from + at)
    if (between) between.copy(made, at)
    else buffer.copy(made, at, text.from, text.to)
    buffer.copy(made, at + size, from + at, to)
    return made
  }
}

/** Where a text lies in what is read. */
export interface Span {
  readonly from: number
  readonly to: number
}
