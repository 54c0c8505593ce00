import { depthMax, itemsMax } from './msgpack.ts'

/** What a value's first byte says: bytes of its length field, bytes that follow that in any case, values inside for each of its length, and whether the length is of bytes. */
interface Head {
  readonly size: 0 | 1 | 2 | 4
  readonly fixed: number
  readonly each: 0 | 1 | 2
  readonly isBytes: boolean
}

const bytes = (fixed: number): Head => ({ size: 0, fixed, each: 0, isBytes: false })
const sized = (size: 1 | 2 | 4, fixed = 0): Head => ({ size, fixed, each: 0, isBytes: true })
const many = (size: 2 | 4, each: 1 | 2): Head => ({ size, fixed: 0, each, isBytes: false })

// https://github.com/msgpack/msgpack/blob/master/spec.md, from 0xc0 on; 0xc1 is never used.
const heads: readonly (Head | undefined)[] = [
  ...[bytes(0), undefined, bytes(0), bytes(0)],
  ...[sized(1), sized(2), sized(4)],
  ...[sized(1, 1), sized(2, 1), sized(4, 1)],
  ...[bytes(4), bytes(8)],
  ...[bytes(1), bytes(2), bytes(4), bytes(8)],
  ...[bytes(1), bytes(2), bytes(4), bytes(8)],
  ...[bytes(2), bytes(3), bytes(5), bytes(9), bytes(17)],
  ...[sized(1), sized(2), sized(4)],
  ...[many(2, 1), many(4, 1), many(2, 2), many(4, 2)],
]

/** Finds the end of a MessagePack value whose bytes come bit by bit: none is looked at twice. */
export class MessagePackScanner {
  #at = 0
  #items = 0
  /** How many values are still to come in each array or map that is open; the first is for the value itself. */
  #open: number[] = [1]

  /** How many bytes the value has at least. */
  get atLeast(): number {
    return this.#at + (this.#open.length > 0 ? 1 : 0)
  }

  /** Where the value ends that begins with the first byte; undefined while bytes are missing. Each call is given all bytes so far. Throws for what is no MessagePack, and for too deep and too many values. */
  end(all: Buffer): number | undefined {
    while (this.#open.length > 0) {
      const inside = this.#pass(all)
      if (inside === undefined) return undefined
      this.#items += 1
      if (this.#items > itemsMax) throw new Error('too many values')
      this.#count(inside)
    }
    return this.#at <= all.length ? this.#at : undefined
  }

  /** Goes on behind a value's head and bytes; answers how many values are inside, or undefined when the head is not whole. */
  #pass(all: Buffer): number | undefined {
    const first = all[this.#at]
    if (first === undefined) return undefined
    if (first < 0xc0 || first >= 0xe0) {
      this.#at += 1 + (first >= 0xa0 && first < 0xc0 ? first & 0x1f : 0)
      if (first >= 0x80 && first < 0x90) return (first & 0x0f) * 2
      return first >= 0x90 && first < 0xa0 ? first & 0x0f : 0
    }
    const head = heads[first - 0xc0]
    if (!head) throw new Error('no MessagePack')
    if (this.#at + 1 + head.size > all.length) return undefined
    const length = head.size === 0 ? 0 : all.readUIntBE(this.#at + 1, head.size)
    this.#at += 1 + head.size + head.fixed + (head.isBytes ? length : 0)
    return length * head.each
  }

  #count(inside: number): void {
    this.#open[this.#open.length - 1] = (this.#open.at(-1) ?? 0) - 1
    if (inside > 0) this.#open.push(inside)
    if (this.#open.length > depthMax + 1) throw new Error('nested too deep')
    while (this.#open.at(-1) === 0) this.#open.pop()
  }
}
