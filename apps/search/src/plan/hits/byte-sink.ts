/** An answer that is put together of texts and bytes, in one growing piece of memory: thousands of small pieces are dear to collect. */
export class ByteSink {
  #buffer: Buffer
  #length = 0

  /** `bytes` is what will be written, as far as that is known. */
  constructor(bytes: number) {
    this.#buffer = Buffer.allocUnsafe(Math.max(bytes, 1_024))
  }

  text(text: string): void {
    // A character of UTF-16 takes three bytes at most.
    this.#reserve(text.length * 3)
    this.#length += this.#buffer.write(text, this.#length)
  }

  bytes(bytes: Buffer): void {
    this.#reserve(bytes.length)
    this.#length += bytes.copy(this.#buffer, this.#length)
  }

  /** What was written; nothing may be written any more. */
  end(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  #reserve(count: number): void {
    const needed = this.#length + count
    if (needed <= this.#buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2))
    this.#buffer.copy(larger, 0, 0, this.#length)
    this.#buffer = larger
  }
}
