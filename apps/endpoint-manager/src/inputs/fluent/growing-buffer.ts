const firstBytes = 64 * 1024

/** Bytes that come at one end and go at the other. Each is copied a bounded number of times, however small the portions are: the room doubles when it is full. */
export class GrowingBuffer {
  #room: Buffer = Buffer.alloc(0)
  #start = 0
  #end = 0
  /** How many bytes were copied until now. */
  copied = 0

  get length(): number {
    return this.#end - this.#start
  }

  /** What is there; good until the next `add` or `drop`. */
  get bytes(): Buffer {
    return this.#room.subarray(this.#start, this.#end)
  }

  add(bytes: Buffer): void {
    if (this.#end + bytes.length > this.#room.length) this.#makeRoom(this.length + bytes.length)
    bytes.copy(this.#room, this.#end)
    this.#end += bytes.length
    this.copied += bytes.length
  }

  /** Takes bytes from the beginning. A large room is given back when nothing is left in it. */
  drop(count: number): void {
    this.#start += count
    if (this.#start < this.#end) return
    this.#start = 0
    this.#end = 0
    if (this.#room.length > firstBytes) this.#room = Buffer.alloc(0)
  }

  /** Half of the room is free afterwards, so the next move is at least as many bytes away as this one copies. */
  #makeRoom(wanted: number): void {
    const kept = this.bytes
    const size = Math.max(firstBytes, wanted * 2)
    const room = size > this.#room.length ? Buffer.allocUnsafe(size) : this.#room
    kept.copy(room)
    this.copied += kept.length
    this.#room = room
    this.#start = 0
    this.#end = kept.length
  }
}
