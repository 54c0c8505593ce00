const firstBytes = 256 * 1024
/** How many bodies are kept for the next requests, and how large each may be. */
const sparesMax = 4
const spareBytesMax = 4 * 1024 * 1024
const newline = 0x0a
/** So many bytes a UTF-16 unit takes at most as UTF-8. */
const bytesPerUnit = 3

const spares: Buffer[] = []

/**
 * The lines of a bulk request as bytes. They are written where those of an earlier request were: fresh memory for each costs more than writing
 * them, as the system hands it out page by page.
 */
export class BulkBody {
  #bytes = spares.pop() ?? Buffer.allocUnsafeSlow(firstBytes)
  #length = 0
  /** The beginning of the line that was written last, as the next one is mostly for the same index. */
  #head = { action: '', index: '', text: '' }

  /** Adds the line that says what to do. */
  addAction(action: string, index: string, id: string | undefined): void {
    if (this.#head.action !== action || this.#head.index !== index)
      this.#head = { action, index, text: `{${JSON.stringify(action)}:{"_index":${JSON.stringify(index)}` }
    this.addLine(`${this.#head.text}${id === undefined ? '' : `,"_id":${JSON.stringify(id)}`}}}`)
  }

  /** Adds a line, which must hold no line feed. */
  addLine(text: string): void {
    this.#makeRoom(text.length * bytesPerUnit + 1)
    this.#length += this.#bytes.write(text, this.#length, 'utf8')
    this.#bytes[this.#length] = newline
    this.#length += 1
  }

  /** How many bytes that is so far. */
  get length(): number {
    return this.#length
  }

  /** What was added; other bytes once `release` was called. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Leaves the memory to another request: nobody may read the bytes any more. */
  release(): void {
    if (spares.length < sparesMax && this.#bytes.length <= spareBytesMax) spares.push(this.#bytes)
    this.#bytes = Buffer.alloc(0)
    this.#length = 0
  }

  #makeRoom(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#length + more))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}
