const magic = [0x1e, 0x0f] as const
const headerBytes = 12
const chunksMax = 128
const waitMs = 5_000
const messagesMax = 1_000

interface Pending {
  readonly chunks: (Buffer | undefined)[]
  readonly since: number
  missing: number
}

/** Puts chunked GELF datagrams together; messages that lack a chunk after five seconds are forgotten, and so is the oldest of too many. */
export class GelfChunks {
  readonly #now: () => number
  readonly #pending = new Map<string, Pending>()

  constructor(now: () => number) {
    this.#now = now
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
    }
    if (pending.chunks.length !== count) throw new Error('chunks of one message disagree on their number')
    this.#pending.set(id, pending)
    if (pending.chunks[sequence] === undefined) {
      pending.chunks[sequence] = datagram.subarray(headerBytes)
      pending.missing -= 1
    }
    if (pending.missing > 0) return undefined
    this.#pending.delete(id)
    return Buffer.concat(pending.chunks.filter((chunk) => chunk !== undefined))
  }

  #forget(): void {
    for (const [id, { since }] of this.#pending) {
      if (this.#pending.size < messagesMax && this.#now() - since < waitMs) return
      this.#pending.delete(id)
    }
  }
}
