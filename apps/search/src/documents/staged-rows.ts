import type { ValueType } from '@logstack/rules'
import type { SegmentColumn } from '../engine/engine.ts'
import { columnType, segmentType } from '../engine/table-layout.ts'
import type { FieldValue } from '../indices/catalogue.ts'
import { type Column, systemColumns, type TableMeta } from '../indices/model.ts'
import { RowBinaryWriter } from './rowbinary.ts'

/** One version of a document with its column values, to be inserted. */
export interface DocumentRow {
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
  readonly values: readonly FieldValue[]
  readonly source: Buffer
}

/** A column that rows need before they can be inserted. */
export interface NeededColumn {
  readonly path: string
  readonly type: ValueType
  readonly many: boolean
  /** Of a text: whether it needs a token index. */
  readonly indexed?: boolean
}

/** How much single text went to one field of some rows. */
export interface TextVolume {
  readonly path: string
  values: number
  bytes: number
}

/** The bytes of rows that go to one partition of one table, in RowBinary. */
export interface EncodedRows {
  readonly columns: readonly SegmentColumn[]
  readonly bytes: Buffer
}

const keyOf = (path: string, type: ValueType): string => `${type} ${path}`

/** The places of one field's columns among the cells of a row; -1 for values that are not stored. */
interface Places {
  one: number | undefined
  many: number | undefined
}

/** The field columns that hold a value of at least one row, in order of appearance. */
class Layout {
  readonly cells: NeededColumn[] = []
  /** By field object first: making a key for every value costs more than writing it. */
  readonly #byField = new Map<FieldValue['field'], Places>()
  readonly #byKey = new Map<string, Places>()

  /** The place of a value's column; -1 for values that are not stored. */
  place({ field, values }: FieldValue): number {
    const places = this.#byField.get(field) ?? this.#placesOf(field)
    if (values.length === 0) return -1
    if (values.length > 1) {
      places.many ??= this.#add(field, true)
      return places.many
    }
    places.one ??= this.#add(field, false)
    return places.one
  }

  #placesOf(field: FieldValue['field']): Places {
    const key = keyOf(field.path, field.valueType)
    const places = this.#byKey.get(key) ?? { one: undefined, many: undefined }
    this.#byKey.set(key, places)
    this.#byField.set(field, places)
    return places
  }

  #add({ path, valueType: type, indexedAtOnce }: FieldValue['field'], many: boolean): number {
    if (columnType(type, many) === undefined) return -1
    return this.cells.push({ path, type, many, ...(indexedAtOnce === true && !many ? { indexed: true } : {}) }) - 1
  }
}

/**
 * The rows of a batch for one partition of one table. Values are encoded as they come and not kept: of a batch of objects most of the time would
 * go into collecting them. The columns of a segment are known only after the last row, so the encoded cells are put in their order then.
 */
export class StagedRows {
  readonly table: number
  readonly slot: number
  readonly #layout = new Layout()
  readonly #writer = new RowBinaryWriter()
  readonly #sequences: number[] = []
  readonly #dropped = new Set<number>()
  /** For each cell that was written its place and where it begins and ends; the system columns of a row come before its cells. */
  readonly #written: number[] = []
  /** Where each row begins in `#written`. */
  readonly #starts: number[] = []
  readonly #texts: TextVolume[] = []

  constructor(table: number, slot: number) {
    this.table = table
    this.slot = slot
  }

  add(row: DocumentRow): void {
    this.#sequences.push(row.seq)
    this.#starts.push(this.#written.length)
    const from = this.#writer.length
    writeSystem(this.#writer, row)
    this.#written.push(-1, from, this.#writer.length)
    for (const value of row.values) {
      const place = this.#layout.place(value)
      if (place < 0) continue
      const start = this.#writer.length
      const { field, values } = value
      if (values.length > 1) this.#writer.array(values, field.valueType)
      else this.#writer.nullable(values[0], field.valueType)
      this.#written.push(place, start, this.#writer.length)
      if (field.valueType === 'text' && values.length === 1)
        this.#noteText(place, field.path, this.#writer.length - start)
    }
  }

  #noteText(place: number, path: string, bytes: number): void {
    const text = this.#texts[place]
    if (text === undefined) this.#texts[place] = { path, values: 1, bytes }
    else {
      text.values += 1
      text.bytes += bytes
    }
  }

  /** How much text each field of the rows got. */
  texts(): TextVolume[] {
    // Places of fields that are no texts are empty.
    return this.#texts.filter((text) => text !== undefined)
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
  sequences(): number[] {
    return this.#dropped.size === 0 ? this.#sequences : this.#sequences.filter((seq) => !this.#dropped.has(seq))
  }

  /** The columns that the rows need and the table lacks, and the token indexes. */
  missing(table: TableMeta): NeededColumn[] {
    const known = columnsByKey(table)
    return this.#layout.cells.filter(({ path, type, many, indexed }) => {
      const column = known.get(keyOf(path, type))
      if (column === undefined || (many && column.manyName === undefined)) return true
      return indexed === true && column.indexed !== true
    })
  }

  /** The rows in RowBinary. Every column they need must be in the table. */
  encode(table: TableMeta): EncodedRows {
    const known = columnsByKey(table)
    const columns: SegmentColumn[] = Object.entries(systemColumns).map(([name, type]) => ({
      name,
      type: segmentType(type),
    }))
    for (const { path, type, many } of this.#layout.cells) {
      const column = known.get(keyOf(path, type))
      const name = many ? column?.manyName : column?.name
      const stored = columnType(type, many)
      if (name === undefined || stored === undefined) throw new Error(`BUG: the table has no column for [${path}]`)
      columns.push({ name, type: segmentType(stored) })
    }
    return { columns, bytes: this.#arrange() }
  }

  #arrange(): Buffer {
    const { cells } = this.#layout
    const to = new RowBinaryWriter(this.#writer.length + cells.length * this.#starts.length)
    const spans: Spans = { begins: new Int32Array(cells.length).fill(-1), ends: new Int32Array(cells.length) }
    for (const [row, start] of this.#starts.entries()) {
      if (this.#dropped.has(this.#sequences[row] ?? -1)) continue
      const end = this.#starts[row + 1] ?? this.#written.length
      for (let at = start + 3; at < end; at += 3) {
        const place = this.#written[at] ?? 0
        spans.begins[place] = this.#written[at + 1] ?? 0
        spans.ends[place] = this.#written[at + 2] ?? 0
      }
      this.#copyRow(to, spans, this.#written[start + 1] ?? 0, this.#written[start + 2] ?? 0)
      spans.begins.fill(-1)
    }
    return to.bytes()
  }

  /** Cells that follow each other in both orders are copied at once; of documents of one kind that is the whole row. */
  #copyRow(to: RowBinaryWriter, { begins, ends }: Spans, systemFrom: number, systemTo: number): void {
    const from = this.#writer.bytes()
    let runFrom = systemFrom
    let runTo = systemTo
    for (const [place, cell] of this.#layout.cells.entries()) {
      const begin = begins[place] ?? -1
      if (begin !== runTo) {
        to.raw(from, runFrom, runTo)
        runFrom = begin
      }
      runTo = ends[place] ?? 0
      if (begin >= 0) continue
      // No array has zero values, null is a one.
      to.uint8(cell.many ? 0 : 1)
      runFrom = 0
      runTo = 0
    }
    to.raw(from, runFrom, runTo)
  }
}

/** Where the cells of one row lie among the bytes written; a beginning of -1 where it has none. */
interface Spans {
  readonly begins: Int32Array
  readonly ends: Int32Array
}

const byTable = new WeakMap<TableMeta, ReadonlyMap<string, Column>>()

function columnsByKey(table: TableMeta): ReadonlyMap<string, Column> {
  const known = byTable.get(table)
  if (known !== undefined) return known
  const made = new Map(table.columns.map((column) => [keyOf(column.path, column.type), column]))
  byTable.set(table, made)
  return made
}

/** In the order of `systemColumns`. */
function writeSystem(writer: RowBinaryWriter, row: DocumentRow): void {
  writer.int64(row.seq)
  writer.uint32(row.index)
  writer.uint16(row.slot)
  writer.int64(row.timeMs)
  writer.int64(row.seqNo)
  writer.int64(row.version)
  writer.string(row.id)
  writer.string(row.routing)
  writer.array(row.ignored, 'string')
  writer.buffer(row.source)
}
