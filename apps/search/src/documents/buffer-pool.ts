/** Smaller buffers are parts of what the runtime keeps at hand anyway. */
const pooledBytesMin = 4096
/** What a batch of the largest size takes twice, as the next one is drafted while it is written. */
const keptBytesMax = 96 * 1024 ** 2
/** Buffers that nobody asked for in this time are left to the garbage collector. */
const idleMs = 5_000

/**
 * Buffers to be used again. What columns are drafted in lives as long as a batch takes to reach the disk, which is long enough to be marked as old: made anew for
 * each batch, it has the runtime mark its whole heap once for every 64 MiB of it (ADR 0006).
 */
export class BufferPool {
  readonly #idleMs: number
  /** By size. */
  readonly #free = new Map<number, Buffer[]>()
  #keptBytes = 0
  #isUsed = false
  #timer: NodeJS.Timeout | undefined

  constructor(unusedMs = idleMs) {
    this.#idleMs = unusedMs
  }

  /** How much is kept for the next who asks. */
  get keptBytes(): number {
    return this.#keptBytes
  }

  /** A buffer of at least so many bytes, whatever they are. */
  take(bytes: number): Buffer {
    if (bytes < pooledBytesMin) return Buffer.allocUnsafe(bytes)
    const size = 2 ** Math.ceil(Math.log2(bytes))
    const kept = this.#free.get(size)?.pop()
    if (kept === undefined) return Buffer.allocUnsafeSlow(size)
    this.#keptBytes -= size
    this.#isUsed = true
    return kept
  }

  /** Takes a buffer back: whoever gives it must have no view of it any more. */
  give(buffer: Buffer): void {
    const size = buffer.length
    const isOwn = size >= pooledBytesMin && buffer.buffer.byteLength === size && Number.isInteger(Math.log2(size))
    if (!isOwn || this.#keptBytes + size > keptBytesMax) return
    const kept = this.#free.get(size)
    if (kept === undefined) this.#free.set(size, [buffer])
    else kept.push(buffer)
    this.#keptBytes += size
    this.#isUsed = true
    this.#timer ??= setInterval(() => this.#look(), this.#idleMs).unref()
  }

  #look(): void {
    if (this.#isUsed) {
      this.#isUsed = false
      return
    }
    this.#free.clear()
    this.#keptBytes = 0
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
