const initialBytes = 4096
const zero = 0x30
const quote = 0x22
const backslash = 0x5c
const firstPlain = 0x20
const firstBeyondAscii = 0x80

/** Puts JSON together as bytes, where texts would be made only to be thrown away. */
export class JsonWriter {
  #buffer = Buffer.allocUnsafe(initialBytes)
  #length = 0

  /** What was written; valid until the next write. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  /** Makes room and returns where it begins. It may replace the buffer: call it before the buffer is named. */
  #reserve(count: number): number {
    const at = this.#length
    if (at + count > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(at + count, this.#buffer.length * 2))
      this.#buffer.copy(larger, 0, 0, at)
      this.#buffer = larger
    }
    this.#length = at + count
    return at
  }

  /** Bytes as they are. */
  raw(bytes: Uint8Array): void {
    const at = this.#reserve(bytes.length)
    this.#buffer.set(bytes, at)
  }

  /** A text as it is. */
  text(text: string): void {
    const size = Buffer.byteLength(text)
    const at = this.#reserve(size)
    this.#buffer.write(text, at, size, 'utf8')
  }

  /** A JSON string. */
  string(value: string): void {
    if (!this.#plainString(value)) this.text(JSON.stringify(value))
  }

  /** Writes a string of ASCII characters that stand for themselves; else changes nothing and answers false. */
  #plainString(value: string): boolean {
    const size = value.length
    const at = this.#reserve(size + 2)
    const buffer = this.#buffer
    for (let next = 0; next < size; next += 1) {
      const code = value.charCodeAt(next)
      if (code < firstPlain || code >= firstBeyondAscii || code === quote || code === backslash) {
        this.#length = at
        return false
      }
      buffer[at + 1 + next] = code
    }
    buffer[at] = quote
    buffer[at + 1 + size] = quote
    return true
  }

  /** A whole number from 0 to 2^53. */
  whole(value: number): void {
    let size = 1
    for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) size += 1
    const at = this.#reserve(size)
    let rest = value
    for (let next = at + size - 1; next >= at; next -= 1) {
      this.#buffer[next] = zero + (rest % 10)
      rest = Math.floor(rest / 10)
    }
  }
}
