import type { RowBinaryReader } from '../../documents/rowbinary.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import { rebuildsSources } from '../../model/kept-source.ts'
import { findColumn, messagePath, type TableMeta } from '../../model/table.ts'
import { sourceOf } from '../../sql/document-source.ts'
import { ident, type Sql } from '../../sql/sql.ts'

/** What a statement reads of each row for its source, and how the source is made of it. */
export interface SourceCells {
  readonly cells: readonly Sql[]
  read(reader: RowBinaryReader): Buffer
}

/**
 * The sources of rows of these indices. A text that its column holds alone is put back here (ADR 0039): the six functions that `sourceOf` has for it cost a
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
      const text = reader.isNull() ? undefined : reader.span()
      const source = reader.span()
      if (at === 0) return reader.bytes(source)
      if (text === undefined) throw new Error('BUG: a text was cut out of a source, and its column holds none')
      return reader.withQuoted(source, at, text)
    },
  }
}
