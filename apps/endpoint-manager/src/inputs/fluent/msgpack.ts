/** The value needs bytes that are not there. */
export class Incomplete extends Error {}

/** An extension value: its type and bytes. */
export interface Extension {
  readonly type: number
  readonly data: Buffer
}

/** How deep values may lie in each other, and how many one may have inside. */
export const depthMax = 32
export const itemsMax = 1_000_000

/** Reads MessagePack values one after the other; throws `Incomplete` where bytes are missing, another error for what is none. */
export class MessagePackReader {
  readonly #bytes: Buffer
  #at: number
  #items = 0

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes
    this.#at = at
  }

  /** Where the next value begins. */
  get position(): number {
    return this.#at
  }

  read(depth = 0): unknown {
    if (depth > depthMax) throw new Error('nested too deep')
    this.#items += 1
    if (this.#items > itemsMax) throw new Error('too many values')
    const head = this.#take(1)[0] ?? 0
    if (head < 0x80) return head
    if (head >= 0xe0) return head - 0x100
    if (head < 0x90) return this.#map(head & 0x0f, depth)
    if (head < 0xa0) return this.#array(head & 0x0f, depth)
    if (head < 0xc0) return this.#take(head & 0x1f).toString('utf8')
    return this.#special(head, depth)
  }

  #special(head: number, depth: number): unknown {
    switch (head) {
      case 0xc0:
        return null
      case 0xc2:
        return false
      case 0xc3:
        return true
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.#take(this.#size(head - 0xc4))
      case 0xc7:
      case 0xc8:
      case 0xc9:
        return this.#extension(this.#size(head - 0xc7))
      case 0xca:
        return this.#take(4).readFloatBE(0)
      case 0xcb:
        return this.#take(8).readDoubleBE(0)
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#size(head - 0xcc)
      case 0xcf:
        return Number(this.#take(8).readBigUInt64BE(0))
      case 0xd0:
        return this.#take(1).readInt8(0)
      case 0xd1:
        return this.#take(2).readInt16BE(0)
      case 0xd2:
        return this.#take(4).readInt32BE(0)
      case 0xd3:
        return Number(this.#take(8).readBigInt64BE(0))
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#take(this.#size(head - 0xd9)).toString('utf8')
      case 0xdc:
      case 0xdd:
        return this.#array(this.#size(head - 0xdc + 1), depth)
      case 0xde:
      case 0xdf:
        return this.#map(this.#size(head - 0xde + 1), depth)
      default:
        if (head >= 0xd4 && head <= 0xd8) return this.#extension(1 << (head - 0xd4))
        throw new Error('no MessagePack')
    }
  }

  /** An unsigned number of 1, 2 or 4 bytes. */
  #size(power: number): number {
    const bytes = this.#take(1 << power)
    return bytes.readUIntBE(0, bytes.length)
  }

  #extension(length: number): Extension {
    const type = this.#take(1).readInt8(0)
    return { type, data: this.#take(length) }
  }

  #array(length: number, depth: number): unknown[] {
    const values: unknown[] = []
    for (let index = 0; index < length; index += 1) values.push(this.read(depth + 1))
    return values
  }

  #map(length: number, depth: number): Map<unknown, unknown> {
    const values = new Map<unknown, unknown>()
    for (let index = 0; index < length; index += 1) {
      const key = this.read(depth + 1)
      values.set(key, this.read(depth + 1))
    }
    return values
  }

  #take(length: number): Buffer {
    const end = this.#at + length
    if (end > this.#bytes.length) throw new Incomplete('incomplete')
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }
}
