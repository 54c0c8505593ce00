import type { Value, ValueType } from '@logstack/rules'
import type { BufferPool } from './buffer-pool.ts'
import { RowBinaryWriter } from './rowbinary.ts'

/** Smaller pieces are copied to the others: a piece of its own costs more. */
const pieceBytesMin = 4096

/** The bytes of a segment, as pieces in order: columns are not copied together only to be written once. */
export class NativeBlock {
  /** Takes what is small; what was written to it comes before the next piece. */
  readonly small: RowBinaryWriter
  readonly #pieces: Buffer[] = []
  #taken = 0

  /** `smallBytes` is about what the small pieces take. */
  constructor(smallBytes: number) {
    this.small = new RowBinaryWriter(smallBytes)
  }

  /** Bytes that must not change any more. */
  piece(bytes: Buffer): void {
    if (bytes.length < pieceBytesMin) {
      this.small.raw(bytes)
      return
    }
    this.#takeSmall()
    this.#pieces.push(bytes)
  }

  #takeSmall(): void {
    const { length } = this.small
    if (length > this.#taken) this.#pieces.push(this.small.bytes().subarray(this.#taken))
    this.#taken = length
  }

  /** All of it; nothing may be written after. */
  pieces(): readonly Buffer[] {
    this.#takeSmall()
    return this.#pieces
  }
}

const nothing: Buffer = Buffer.alloc(0)

/** How the values of a column lie in a segment: texts with their length before them, everything else in a fixed number of bytes. */
const widths: Readonly<Record<Exclude<ValueType, 'binary'>, number>> = {
  string: 0,
  text: 0,
  long: 8,
  unsigned: 8,
  double: 8,
  boolean: 1,
  date: 8,
  date_nanos: 8,
  ip: 16,
}

/** What a column holds besides values: `nullable` a mark for each row, `many` a list for each row, `plain` nothing. */
export type ColumnForm = 'nullable' | 'many' | 'plain'

/**
 * One column of a segment in the engine's Native format: marks or ends of lists for all rows, then all values. Rows that bring no value are filled up
 * when a later one does, so a row costs only what it holds.
 */
export class ColumnBuffer {
  readonly type: Exclude<ValueType, 'binary'>
  readonly form: ColumnForm
  readonly values: RowBinaryWriter
  /** Rows written, fillers included. */
  rows = 0
  readonly #pool: BufferPool | undefined
  #nulls: Buffer = nothing
  /** Of lists: where each row's list ends, counted in values. */
  readonly #ends: number[] = []
  #count = 0
  #markRows = 0
  #markLength = 0
  #markCount = 0

  /** `bytes` is what its values will take, as far as that is known. */
  constructor(type: Exclude<ValueType, 'binary'>, form: ColumnForm, pool?: BufferPool, bytes = 1024) {
    this.type = type
    this.form = form
    this.#pool = pool
    this.values = new RowBinaryWriter(bytes, pool)
    if (form === 'nullable') this.#nulls = Buffer.allocUnsafe(256)
  }

  /** Begins the value of a row: what rows before it lack is filled up. What follows goes to `values`, for `nullable` and `plain` exactly one. */
  begin(row: number): RowBinaryWriter {
    this.#markRows = this.rows
    this.#markLength = this.values.length
    this.#markCount = this.#count
    if (this.rows < row) this.fill(row)
    if (this.form === 'nullable') {
      if (row >= this.#nulls.length) this.#growNulls(row + 1)
      this.#nulls[row] = 0
    }
    this.rows = row + 1
    return this.values
  }

  /** The list of a row, of a column of lists. */
  list(row: number, values: readonly Value[]): void {
    const writer = this.beginList(row, values.length)
    for (const value of values) writer.value(value, this.type)
  }

  /** Begins the list of a row, of a column of lists: exactly so many values must go to what is answered. */
  beginList(row: number, count: number): RowBinaryWriter {
    const writer = this.begin(row)
    this.#count += count
    this.#ends.push(this.#count)
    return writer
  }

  /** Takes back what was written since the last `begin`. */
  undo(): void {
    this.rows = this.#markRows
    this.values.truncate(this.#markLength)
    this.#count = this.#markCount
    if (this.form === 'many') this.#ends.length = this.rows
  }

  /** Makes the column `rows` long, with nothing in the rows it lacks. */
  fill(rows: number): void {
    const missing = rows - this.rows
    if (missing <= 0) return
    if (this.form === 'many') for (let at = 0; at < missing; at += 1) this.#ends.push(this.#count)
    else this.values.zeros(missing * Math.max(1, widths[this.type]))
    if (this.form === 'nullable') {
      if (rows > this.#nulls.length) this.#growNulls(rows)
      this.#nulls.fill(1, this.rows, rows)
    }
    this.rows = rows
  }

  #growNulls(rows: number): void {
    const size = Math.max(rows, this.#nulls.length * 2)
    const larger = this.#pool?.take(size) ?? Buffer.allocUnsafe(size)
    this.#nulls.copy(larger, 0, 0, this.rows)
    this.#pool?.give(this.#nulls)
    this.#nulls = larger
  }

  /** Gives its memory back to the pool: of what was written nobody may have a view any more. */
  release(): void {
    this.values.release()
    this.#pool?.give(this.#nulls)
    this.#nulls = nothing
  }

  /** How many rows have a value, of a nullable column. */
  present(): number {
    let count = 0
    for (let row = 0; row < this.rows; row += 1) if (this.#nulls[row] === 0) count += 1
    return count
  }

  /** Hashes of 32 bits of the first values, at most so many, of a nullable column. */
  hashes(most: number): number[] {
    const found: number[] = []
    const bytes = this.values.bytes()
    let at = 0
    for (let row = 0; row < this.rows && found.length < most; row += 1) {
      const from = at
      at = this.#endOfValue(bytes, from)
      if (this.#nulls[row] === 0) found.push(hashOf(bytes, from, at))
    }
    return found
  }

  /** Writes the column; of the rows only those that `keep` says, when it is given. Nothing may be put into it after. */
  writeTo(block: NativeBlock, keep: readonly boolean[] | undefined): void {
    if (keep !== undefined) {
      this.#writeKept(block.small, keep)
      return
    }
    if (this.form === 'nullable') block.piece(this.#nulls.subarray(0, this.rows))
    for (const end of this.#ends) block.small.int64(end)
    block.piece(this.values.bytes())
  }

  #writeKept(to: RowBinaryWriter, keep: readonly boolean[]): void {
    const bytes = this.values.bytes()
    if (this.form === 'nullable') for (const [row, kept] of keep.entries()) if (kept) to.raw(this.#nulls, row, row + 1)
    if (this.form === 'many') this.#writeKeptEnds(to, keep)
    let at = 0
    let element = 0
    for (const [row, kept] of keep.entries()) {
      const from = at
      const last = this.form === 'many' ? (this.#ends[row] ?? 0) : element + 1
      for (; element < last; element += 1) at = this.#endOfValue(bytes, at)
      if (kept) to.raw(bytes, from, at)
    }
  }

  #writeKeptEnds(to: RowBinaryWriter, keep: readonly boolean[]): void {
    let total = 0
    for (const [row, kept] of keep.entries()) {
      if (!kept) continue
      total += (this.#ends[row] ?? 0) - (this.#ends[row - 1] ?? 0)
      to.int64(total)
    }
  }

  #endOfValue(bytes: Buffer, at: number): number {
    const width = widths[this.type]
    if (width > 0) return at + width
    let size = 0
    let next = at
    for (let factor = 1; ; factor *= 0x80) {
      const byte = bytes[next] ?? 0
      next += 1
      size += (byte & 0x7f) * factor
      if (byte < 0x80) return next + size
    }
  }
}

/** FNV-1a. */
function hashOf(bytes: Buffer, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
  return hash >>> 0
}
