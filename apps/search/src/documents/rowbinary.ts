import type { Value, ValueType } from '@logstack/rules'
import type { BufferPool } from './buffer-pool.ts'
import { ipBytes } from './ip-bytes.ts'

const initialBytes = 64 * 1024
const two32 = 2 ** 32
const nothing: Buffer = Buffer.alloc(0)
/** Shorter texts are copied faster byte by byte than by a call. */
const copiedByHandMax = 48

function viewOf(buffer: Buffer): DataView {
  return new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength)
}

/** Writes values in the engine's RowBinary format, one after the other, into one growing buffer. */
export class RowBinaryWriter {
  #buffer: Buffer
  #view: DataView
  #length = 0
  readonly #pool: BufferPool | undefined

  /** `bytes` is what will be written, as far as that is known. With a `pool` nobody may have a view of what was written before the last write. */
  constructor(bytes = initialBytes, pool?: BufferPool) {
    this.#pool = pool
    this.#buffer = pool?.take(bytes) ?? Buffer.allocUnsafe(bytes)
    this.#view = viewOf(this.#buffer)
  }

  /** Gives the buffer back to the pool: nothing may be written or read any more. */
  release(): void {
    this.#pool?.give(this.#buffer)
    this.#buffer = nothing
    this.#view = viewOf(nothing)
    this.#length = 0
  }

  /** Number of bytes written so far. */
  get length(): number {
    return this.#length
  }

  /** What was written; valid until the next write. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  /** Forgets what was written after the first `length` bytes. */
  truncate(length: number): void {
    this.#length = length
  }

  /** So many bytes of zero. */
  zeros(count: number): void {
    const at = this.#reserve(count)
    this.#buffer.fill(0, at, at + count)
  }

  /** A text of ASCII characters that lies in other bytes. */
  ascii(source: Uint8Array, from: number, to: number): void {
    const size = to - from
    this.length7(size)
    let at = this.#reserve(size)
    const buffer = this.#buffer
    if (size > copiedByHandMax) buffer.set(source.subarray(from, to), at)
    else
      for (let next = from; next < to; next += 1) {
        buffer[at] = source[next] ?? 0
        at += 1
      }
  }

  /** Makes room and returns where it begins. It may replace the buffer: call it before the buffer is named. */
  #reserve(count: number): number {
    const at = this.#length
    const needed = at + count
    if (needed > this.#buffer.length) {
      const size = Math.max(needed, this.#buffer.length * 2)
      const larger = this.#pool?.take(size) ?? Buffer.allocUnsafe(size)
      this.#buffer.copy(larger, 0, 0, at)
      this.#pool?.give(this.#buffer)
      this.#buffer = larger
      this.#view = viewOf(larger)
    }
    this.#length = needed
    return at
  }

  uint8(value: number): void {
    const at = this.#reserve(1)
    this.#buffer[at] = value
  }

  uint16(value: number): void {
    const at = this.#reserve(2)
    this.#view.setUint16(at, value, true)
  }

  uint32(value: number): void {
    const at = this.#reserve(4)
    this.#view.setUint32(at, value, true)
  }

  /** A signed or unsigned 64-bit integer: both have the same bytes. */
  int64(value: number | bigint): void {
    const at = this.#reserve(8)
    if (typeof value === 'bigint') {
      this.#view.setBigInt64(at, BigInt.asIntN(64, value), true)
      return
    }
    // Both are taken modulo 2^32, so the low half needs no subtraction.
    this.#view.setInt32(at, value, true)
    this.#view.setInt32(at + 4, Math.floor(value / two32), true)
  }

  float64(value: number): void {
    const at = this.#reserve(8)
    this.#view.setFloat64(at, value, true)
  }

  /** An unsigned length, seven bits a byte. */
  length7(value: number): void {
    if (value < 0x80) {
      this.uint8(value)
      return
    }
    let rest = value
    while (rest >= 0x80) {
      this.uint8((rest % 0x80) | 0x80)
      rest = Math.floor(rest / 0x80)
    }
    this.uint8(rest)
  }

  string(value: string): void {
    if (value.length <= copiedByHandMax && this.#asciiString(value)) return
    const size = Buffer.byteLength(value)
    this.length7(size)
    const at = this.#reserve(size)
    this.#buffer.write(value, at, size, 'utf8')
  }

  /** Writes a short text whose characters are all ASCII; else changes nothing and answers false. */
  #asciiString(value: string): boolean {
    const size = value.length
    const at = this.#reserve(size + 1)
    const buffer = this.#buffer
    buffer[at] = size
    for (let next = 0; next < size; next += 1) {
      const code = value.charCodeAt(next)
      if (code >= 0x80) {
        this.#length = at
        return false
      }
      buffer[at + 1 + next] = code
    }
    return true
  }

  buffer(value: Buffer): void {
    this.length7(value.length)
    const at = this.#reserve(value.length)
    value.copy(this.#buffer, at)
  }

  /** A text of which the bytes from `from` to before `to` are left out. */
  bufferWithout(value: Buffer, from: number, to: number): void {
    const size = value.length - (to - from)
    this.length7(size)
    const at = this.#reserve(size)
    value.copy(this.#buffer, at, 0, from)
    value.copy(this.#buffer, at + from, to)
  }

  /** Bytes as they are, of which part is written. */
  raw(value: Buffer, from = 0, to = value.length): void {
    const at = this.#reserve(to - from)
    value.copy(this.#buffer, at, from, to)
  }

  /** An IPv4 address as a number below 2^32, in the 16 bytes of `::ffff:0:0/96`. */
  ipv4(address: number): void {
    const at = this.#reserve(16)
    this.#view.setUint32(at, 0)
    this.#view.setUint32(at + 4, 0)
    this.#view.setUint32(at + 8, 0xffff)
    this.#view.setUint32(at + 12, address)
  }

  /** A value without the byte that says whether it is null. */
  value(value: Value, type: ValueType): void {
    switch (type) {
      case 'string':
      case 'text':
        this.string(String(value))
        return
      case 'long':
      case 'unsigned':
      case 'date':
      case 'date_nanos':
        this.int64(typeof value === 'bigint' ? value : Number(value))
        return
      case 'double':
        this.float64(Number(value))
        return
      case 'boolean':
        this.uint8(value === true || value === 'true' ? 1 : 0)
        return
      case 'ip':
        // The engine writes IPv6 as the 16 bytes of the address.
        this.raw(ipBytes(String(value)))
        return
      case 'binary':
        throw new Error('BUG: binary values have no column')
    }
  }

  /** A value of a Nullable column; undefined is null. */
  nullable(value: Value | undefined, type: ValueType): void {
    this.uint8(value === undefined ? 1 : 0)
    if (value !== undefined) this.value(value, type)
  }

  /** The values of an Array column. */
  array(values: readonly Value[], type: ValueType): void {
    this.length7(values.length)
    for (const value of values) this.value(value, type)
  }
}

/** Of a text of one byte a letter: what JSON writes otherwise. Looking at each byte of a buffer takes JavaScript ten times as long. */
const writtenOtherwise = /[^\P{Cc}\x7f-\x9f]|["\\]/u

/**
 * Reads values of RowBinary, one after the other, and makes no view of memory but the ones asked for: a view costs as much as the rest of a value, and is dear to
 * collect.
 */
export class RowBinaryReader {
  readonly #buffer: Buffer
  #at = 0

  constructor(buffer: Buffer) {
    this.#buffer = buffer
  }

  /** Whether all was read. */
  get ended(): boolean {
    return this.#at >= this.#buffer.length
  }

  uint16(): number {
    this.#at += 2
    return this.#buffer.readUInt16LE(this.#at - 2)
  }

  uint32(): number {
    this.#at += 4
    return this.#buffer.readUInt32LE(this.#at - 4)
  }

  /** An unsigned 64-bit integer below 2^53. */
  uint64(): number {
    const low = this.uint32()
    return this.uint32() * two32 + low
  }

  /** Exact, whatever its size. */
  int64(): bigint {
    this.#at += 8
    return this.#buffer.readBigInt64LE(this.#at - 8)
  }

  /** The same as a number where that is exact. */
  long(): number | bigint {
    this.#at += 8
    const value = this.#buffer.readInt32LE(this.#at - 4) * two32 + this.#buffer.readUInt32LE(this.#at - 8)
    return Number.isSafeInteger(value) ? value : this.#buffer.readBigInt64LE(this.#at - 8)
  }

  /** Whether the next value, which may be null, is null. */
  isNull(): boolean {
    this.#at += 1
    return this.#buffer[this.#at - 1] === 1
  }

  /** What `read` reads, or undefined where there is null. */
  nullable<Value>(read: () => Value): Value | undefined {
    return this.isNull() ? undefined : read()
  }

  /** So many bytes as they are; they share memory with what is read. */
  raw(size: number): Buffer {
    this.#at += size
    return this.#buffer.subarray(this.#at - size, this.#at)
  }

  /** An unsigned length, seven bits a byte. */
  length7(): number {
    let value = 0
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.#buffer[this.#at] ?? 0
      this.#at += 1
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
  }

  string(): string {
    const size = this.length7()
    this.#at += size
    return size === 0 ? '' : this.#buffer.toString('utf8', this.#at - size, this.#at)
  }

  /** The bytes of a String; they share memory with what is read. */
  buffer(): Buffer {
    return this.bytes(this.span())
  }

  /** Passes over a text and tells where it was. */
  span(): Span {
    const size = this.length7()
    this.#at += size
    return { from: this.#at - size, to: this.#at }
  }

  /** The bytes of a span; they share memory with what is read. */
  bytes({ from, to }: Span): Buffer {
    return this.#buffer.subarray(from, to)
  }

  /** The bytes of one span with those of another put in at `at`, as they are between the quotes of a JSON string. */
  withQuoted({ from, to }: Span, at: number, text: Span): Buffer {
    const buffer = this.#buffer
    const between = writtenOtherwise.test(buffer.toString('latin1', text.from, text.to))
      ? Buffer.from(JSON.stringify(buffer.toString('utf8', text.from, text.to)).slice(1, -1))
      : undefined
    const size = between?.length ?? text.to - text.from
    const made = Buffer.allocUnsafe(to - from + size)
    buffer.copy(made, 0, from, from + at)
    if (between) between.copy(made, at)
    else buffer.copy(made, at, text.from, text.to)
    buffer.copy(made, at + size, from + at, to)
    return made
  }
}

/** Where a text lies in what is read. */
export interface Span {
  readonly from: number
  readonly to: number
}
