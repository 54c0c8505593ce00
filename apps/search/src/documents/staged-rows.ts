import type { ValueType } from '@logstack/rules'
import type { SegmentColumn } from '../engine/engine.ts'
import { columnType, segmentType } from '../engine/table-layout.ts'
import type { FieldValue } from '../indices/catalogue.ts'
import { isCrowded, isLacking, neededIndexes } from '../indices/tables.ts'
import { type Column, type NeededColumn, systemColumns, type TableMeta } from '../model/table.ts'
import type { BufferPool } from './buffer-pool.ts'
import { ColumnBuffer, NativeBlock } from './column-buffer.ts'
import type { DirectPlan } from './direct-plan.ts'
import { type DirectRead, DirectReader } from './direct-reader.ts'
import type { SourceCut } from './direct-store.ts'

/** One version of a document, without the values of its fields. */
export interface RowHead {
  readonly seq: number
  readonly seqNo: number
  readonly version: number
  readonly index: number
  readonly table: number
  readonly slot: number
  readonly timeMs: number
  readonly id: string
  readonly routing: string
  readonly ignored: readonly string[]
  readonly source: Buffer
  /** Whether the source is made again from the columns, and not kept. */
  readonly isRebuilt?: boolean
  /** What of a kept source its `message` column holds alone. */
  readonly cut?: SourceCut | undefined
}

/** One version of a document with its column values, to be inserted. */
export interface DocumentRow extends RowHead {
  readonly values: readonly FieldValue[]
}

/** How much single text went to one field of some rows. */
export interface TextVolume {
  readonly path: string
  values: number
  bytes: number
}

/** A column of single keywords or addresses of some rows. */
export interface SampledColumn {
  readonly path: string
  readonly type: 'string' | 'ip'
  /** Hashes of the first values, at most so many. */
  readonly hashes: (most: number) => readonly number[]
}

/** Rows that go to one partition of one table: one block in the engine's Native format. */
export interface EncodedRows {
  readonly columns: readonly SegmentColumn[]
  /** The bytes, one piece after the other. */
  readonly pieces: readonly Buffer[]
}

const noSource = Buffer.alloc(0)
/** What the numbers of a row take that every row has, and names of columns with small values besides. */
const numberBytes = 40
const smallBytesMin = 16 * 1024

const keyOf = (path: string, type: ValueType): string => `${type} ${path}`

type StoredField = FieldValue['field']

interface Cell {
  readonly needed: NeededColumn
  readonly buffer: ColumnBuffer
}

/** The columns of one field; undefined until a value comes. */
interface Places {
  one: ColumnBuffer | undefined
  many: ColumnBuffer | undefined
}

/** The field columns that hold a value of at least one row, in order of appearance. */
class Layout {
  readonly cells: Cell[] = []
  /** By field object first: making a key for every value costs more than writing it. */
  readonly #byField = new Map<StoredField, Places>()
  readonly #byKey = new Map<string, Places>()
  readonly #pool: BufferPool | undefined

  constructor(pool: BufferPool | undefined) {
    this.#pool = pool
  }

  /** The column of a field; undefined for values that are not stored. */
  column(field: StoredField, many: boolean): ColumnBuffer | undefined {
    const places = this.#byField.get(field) ?? this.#placesOf(field)
    if (many) {
      places.many ??= this.#add(field, true)
      return places.many
    }
    places.one ??= this.#add(field, false)
    return places.one
  }

  #placesOf(field: StoredField): Places {
    const key = keyOf(field.path, field.valueType)
    const places = this.#byKey.get(key) ?? { one: undefined, many: undefined }
    this.#byKey.set(key, places)
    this.#byField.set(field, places)
    return places
  }

  #add(field: StoredField, many: boolean): ColumnBuffer | undefined {
    const { path, valueType: type } = field
    if (type === 'binary') return undefined
    const buffer = new ColumnBuffer(type, many ? 'many' : 'nullable', this.#pool)
    const needed = { path, type, many, ...(many ? {} : neededIndexes(field)) }
    this.cells.push({ needed, buffer })
    return buffer
  }
}

/** The columns every row has. */
class SystemValues {
  readonly numbers = {
    _seq: [] as number[],
    _index: [] as number[],
    _slot: [] as number[],
    _time: [] as number[],
    _seq_no: [] as number[],
    _version: [] as number[],
    _message_at: [] as number[],
  }
  readonly texts: {
    readonly _id: ColumnBuffer
    readonly _routing: ColumnBuffer
    readonly _ignored: ColumnBuffer
    readonly _source: ColumnBuffer
  }

  constructor(sourceBytes: number, pool: BufferPool | undefined) {
    this.texts = {
      _id: new ColumnBuffer('string', 'plain', pool),
      _routing: new ColumnBuffer('string', 'plain', pool),
      _ignored: new ColumnBuffer('string', 'many', pool),
      _source: new ColumnBuffer('string', 'plain', pool, sourceBytes),
    }
  }

  push(row: RowHead): void {
    const { numbers, texts } = this
    const at = numbers._seq.length
    numbers._seq.push(row.seq)
    numbers._index.push(row.index)
    numbers._slot.push(row.slot)
    numbers._time.push(row.timeMs)
    numbers._seq_no.push(row.seqNo)
    numbers._version.push(row.version)
    texts._id.begin(at).string(row.id)
    texts._routing.begin(at).string(row.routing)
    texts._ignored.list(at, row.ignored)
    this.#pushSource(at, row)
  }

  #pushSource(at: number, { source, isRebuilt, cut }: RowHead): void {
    const isCut = isRebuilt !== true && cut !== undefined
    this.numbers._message_at.push(isCut ? cut.from : 0)
    const to = this.texts._source.begin(at)
    if (isCut) to.bufferWithout(source, cut.from, cut.to)
    else to.buffer(isRebuilt === true ? noSource : source)
  }

  writeTo(block: NativeBlock, name: keyof typeof systemColumns, keep: readonly boolean[] | undefined): void {
    if (name === '_id' || name === '_routing' || name === '_ignored' || name === '_source') {
      this.texts[name].writeTo(block, keep)
      return
    }
    const to = block.small
    const values = this.numbers[name]
    for (let row = 0; row < values.length; row += 1) {
      if (keep !== undefined && keep[row] !== true) continue
      const value = values[row] ?? 0
      if (name === '_index' || name === '_message_at') to.uint32(value)
      else if (name === '_slot') to.uint16(value)
      else to.int64(value)
    }
  }
}

/** The rows of a batch for one partition of one table. Values go into their columns as they come, so that nothing is kept of a document but bytes. */
export class StagedRows {
  readonly table: number
  readonly slot: number
  readonly #layout: Layout
  readonly #system: SystemValues
  readonly #reader = new DirectReader((field, many) => this.#layout.column(field, many))
  readonly #dropped = new Set<number>()

  /** `sourceBytes` is about what the documents will take; the memory of `pool` goes back to it with `release`. */
  constructor(table: number, slot: number, sourceBytes = 1024, pool?: BufferPool) {
    this.table = table
    this.slot = slot
    this.#layout = new Layout(pool)
    this.#system = new SystemValues(sourceBytes, pool)
  }

  /** Gives the memory of the columns back: the pieces of `encode` must be on disk, or wanted no more. */
  release(): void {
    for (const { buffer } of this.#layout.cells) buffer.release()
    for (const buffer of Object.values(this.#system.texts)) buffer.release()
  }

  get #sequences(): readonly number[] {
    return this.#system.numbers._seq
  }

  add(row: DocumentRow): void {
    const at = this.#sequences.length
    for (const { field, values } of row.values) {
      if (values.length === 0) continue
      const column = this.#layout.column(field, values.length > 1)
      const [first] = values
      if (column === undefined || first === undefined) continue
      if (values.length > 1) column.list(at, values)
      else column.begin(at).value(first, field.valueType)
    }
    this.#system.push(row)
  }

  /**
   * Reads the fields of the next row straight from the bytes of its source. Undefined, and nothing is changed, when the document needs a closer look;
   * else `finish` or `undo` must follow.
   */
  read(plan: DirectPlan, source: Buffer): DirectRead | undefined {
    return this.#reader.read(plan, source, this.#sequences.length)
  }

  /** Ends the row whose fields were read. */
  finish(row: RowHead): void {
    this.#system.push(row)
  }

  /** Takes the fields that were read back. */
  undo(): void {
    this.#reader.undo()
  }

  /** How much text each field of the rows got. */
  texts(): TextVolume[] {
    return this.#layout.cells.flatMap(({ needed: { path, type, many }, buffer }) => {
      if (type !== 'text' || many) return []
      const values = buffer.present()
      return [{ path, values, bytes: buffer.values.length - (buffer.rows - values) }]
    })
  }

  /** The columns of single keywords and addresses. */
  keywords(): SampledColumn[] {
    return this.#layout.cells.flatMap(({ needed: { path, type, many }, buffer }) =>
      many || (type !== 'string' && type !== 'ip') ? [] : [{ path, type, hashes: (most) => buffer.hashes(most) }],
    )
  }

  /** Takes a row out again, because a later write of the same batch replaced it; false when it is not one of these. */
  drop(seq: number): boolean {
    if (this.#dropped.has(seq) || !this.#holds(seq)) return false
    this.#dropped.add(seq)
    return true
  }

  /** Sequences rise, so half of them can be left out at each look. */
  #holds(seq: number): boolean {
    let low = 0
    let high = this.#sequences.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#sequences[middle] ?? 0) < seq) low = middle + 1
      else high = middle
    }
    return this.#sequences[low] === seq
  }

  /** The `_seq` of each row, rising. */
  sequences(): readonly number[] {
    return this.#dropped.size === 0 ? this.#sequences : this.#sequences.filter((seq) => !this.#dropped.has(seq))
  }

  /** The last `_time` of the rows, those that were dropped among them; epoch milliseconds. */
  newestMs(): number {
    return this.#system.numbers._time.reduce((last, ms) => Math.max(last, ms), Number.NEGATIVE_INFINITY)
  }

  /** The columns that the rows need and the table lacks, and the token indexes. */
  missing(table: TableMeta): NeededColumn[] {
    const known = columnsByKey(table)
    const crowded = isCrowded(table)
    return this.#layout.cells.flatMap(({ needed }) => {
      const column = known.get(keyOf(needed.path, needed.type))
      return isLacking(column, needed, crowded) ? [needed] : []
    })
  }

  /** The rows as a segment. Every column they need must be in the table. Called once: nothing may be added after. */
  encode(table: TableMeta): EncodedRows {
    const known = columnsByKey(table)
    const columns: SegmentColumn[] = []
    const keep = this.#dropped.size === 0 ? undefined : this.#sequences.map((sequence) => !this.#dropped.has(sequence))
    const rows = this.#sequences.length
    const block = new NativeBlock(smallBytesMin + rows * numberBytes)
    const to = block.small
    to.length7(Object.keys(systemColumns).length + this.#layout.cells.length)
    to.length7(rows - this.#dropped.size)
    const begin = (name: string, stored: string): void => {
      const type = segmentType(stored)
      columns.push({ name, type })
      to.string(name)
      to.string(type)
    }
    for (const [name, type] of Object.entries(systemColumns)) {
      begin(name, type)
      this.#system.writeTo(block, name as keyof typeof systemColumns, keep)
    }
    for (const { needed, buffer } of this.#layout.cells) {
      const { path, type, many } = needed
      const column = known.get(keyOf(path, type))
      const name = many ? column?.manyName : column?.name
      const stored = columnType(type, many)
      if (name === undefined || stored === undefined) throw new Error(`BUG: the table has no column for [${path}]`)
      begin(name, stored)
      buffer.fill(rows)
      buffer.writeTo(block, keep)
    }
    return { columns, pieces: block.pieces() }
  }
}

const byTable = new WeakMap<TableMeta, ReadonlyMap<string, Column>>()

function columnsByKey(table: TableMeta): ReadonlyMap<string, Column> {
  const known = byTable.get(table)
  if (known !== undefined) return known
  const made = new Map(table.columns.map((column) => [keyOf(column.path, column.type), column]))
  byTable.set(table, made)
  return made
}
