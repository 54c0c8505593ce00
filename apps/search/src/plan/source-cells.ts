import type { RowBinaryReader } from '../documents/rowbinary.ts'
import { rebuildsSources } from '../indices/kept-source.ts'
import { type IndexMeta, messagePath, type TableMeta } from '../indices/model.ts'
import { findColumn } from '../indices/tables.ts'
import { sourceOf } from '../sql/document-source.ts'
import { ident, type Sql } from '../sql/sql.ts'

/** What a statement reads of each row for its source, and how the source is made of it. */
export interface SourceCells {
  readonly cells: readonly Sql[]
  read(reader: RowBinaryReader): Buffer
}

/** Of a text of one byte a letter: what JSON writes otherwise. Looking at each byte of a buffer takes JavaScript ten times as long. */
const writtenOtherwise = /[^\P{Cc}\x7f-\x9f]|["\\]/u

/** The text between the quotes of a JSON string: what was cut out of a source is what `JSON.stringify` makes of it (ADR 0039). */
function quoted(text: Buffer): Buffer {
  return writtenOtherwise.test(text.toString('latin1'))
    ? Buffer.from(JSON.stringify(text.toString()).slice(1, -1))
    : text
}

/**
 * The sources of rows of these indices. A text that its column holds alone is put back here: the six functions that `sourceOf` has for it cost a
 * statement for ten hits a millisecond, and one for 500 two (ADR 0007).
 */
export function sourceCells(table: TableMeta, indices: readonly IndexMeta[]): SourceCells {
  const message = findColumn(table, messagePath, 'text')
  if (message === undefined || indices.some(rebuildsSources))
    return { cells: [sourceOf(table, indices)], read: (reader) => reader.buffer() }
  return {
    cells: [ident('_message_at'), ident(message.name), ident('_source')],
    read(reader) {
      const at = reader.uint32()
      const text = reader.nullable(() => reader.buffer())
      const source = reader.buffer()
      if (at === 0) return source
      if (text === undefined) throw new Error('BUG: a text was cut out of a source, and its column holds none')
      return Buffer.concat([source.subarray(0, at), quoted(text), source.subarray(at)])
    },
  }
}
