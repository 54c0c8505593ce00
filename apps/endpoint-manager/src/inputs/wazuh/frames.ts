const lengthBytes = 4
/** Longer ones no agent sends. */
const frameBytesMax = 65_536

/** A frame: its length as four bytes, the lowest first, and then so many. */
export function frame(payload: Buffer): Buffer {
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32LE(payload.length)
  return Buffer.concat([length, payload])
}

/** Whether a connection begins as one of a Wazuh agent does: with a frame that names an agent, is encrypted, or is a ping. No TLS record does. */
export function beginsFrame(first: Buffer): boolean {
  if (first.length <= lengthBytes) return false
  const length = first.readUInt32LE()
  return length > 0 && length <= frameBytesMax && '!#'.includes(String.fromCharCode(first[lengthBytes] ?? 0))
}

/** Cuts what comes on one connection into frames. */
export class FrameReader {
  #pending: Buffer = Buffer.alloc(0)

  /** Of a frame that is not whole. */
  get pendingBytes(): number {
    return this.#pending.length
  }

  /** The frames that are whole now; throws for one that is too long. */
  push(bytes: Buffer): Buffer[] {
    const all = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes])
    const frames: Buffer[] = []
    let at = 0
    while (all.length - at >= lengthBytes) {
      const length = all.readUInt32LE(at)
      if (length > frameBytesMax) throw new Error(`a frame of ${length} bytes, longer than ${frameBytesMax}`)
      if (all.length - at - lengthBytes < length) break
      frames.push(all.subarray(at + lengthBytes, at + lengthBytes + length))
      at += lengthBytes + length
    }
    // A copy: a few bytes must not keep all that came with them.
    this.#pending = Buffer.from(all.subarray(at))
    return frames
  }
}
