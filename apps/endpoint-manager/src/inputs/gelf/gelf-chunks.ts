const magic = [0x1e, 0x0f] as const
const headerBytes = 12
const chunksMax = 128
const waitMs = 5_000
const messagesMax = 1_000
/** Of all that wait for chunks. */
const bytesMax = 32 * 1024 * 1024

interface Pending {
  readonly chunks: (Buffer | undefined)[]
  readonly since: number
  missing: number
  bytes: number
}

/** Puts chunked GELF datagrams together; messages that lack a chunk after five seconds are forgotten, and so is the oldest of too many, or of more than 32 MiB. */
export class GelfChunks {
  readonly #now: () => number
  readonly #pending = new Map<string, Pending>()
  #bytes = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** How many bytes wait for others. */
  get waitingBytes(): number {
    return this.#bytes
  }

  /** The whole message that a datagram completes, or is; undefined while chunks are missing. Throws for a broken chunk. */
  add(datagram: Buffer): Buffer | undefined {
    if (datagram[0] !== magic[0] || datagram[1] !== magic[1]) return datagram
    const sequence = datagram[10] ?? 0
    const count = datagram[11] ?? 0
    if (datagram.length <= headerBytes || count === 0 || count > chunksMax || sequence >= count) {
      throw new Error('a broken chunk')
    }
    this.#forget()
    const id = datagram.toString('latin1', 2, 10)
    const pending = this.#pending.get(id) ?? {
      chunks: new Array(count).fill(undefined),
      since: this.#now(),
      missing: count,
      bytes: 0,
    }
    if (pending.chunks.length !== count) throw new Error('chunks of one message disagree on their number')
    this.#pending.set(id, pending)
    if (pending.chunks[sequence] === undefined) {
      // A copy: the bytes of many datagrams lie in one block, which none of them may keep.
      pending.chunks[sequence] = Buffer.from(datagram.subarray(headerBytes))
      pending.missing -= 1
      pending.bytes += datagram.length
      this.#bytes += datagram.length
    }
    if (pending.missing > 0) return undefined
    this.#drop(id, pending)
    return Buffer.concat(pending.chunks.filter((chunk) => chunk !== undefined))
  }

  #forget(): void {
    for (const [id, pending] of this.#pending) {
      const isFull = this.#pending.size >= messagesMax || this.#bytes >= bytesMax
      if (!isFull && this.#now() - pending.since < waitMs) return
      this.#drop(id, pending)
    }
  }

  #drop(id: string, { bytes }: Pending): void {
    this.#pending.delete(id)
    this.#bytes -= bytes
  }
}
