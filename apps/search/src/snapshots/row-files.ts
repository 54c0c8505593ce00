import type { SegmentColumn } from '../engine/engine.ts'
import { columnType, segmentType } from '../engine/table-layout.ts'
import { systemColumns, type TableMeta } from '../model/table.ts'
import { keptSource } from '../sql/document-source.ts'
import { ident, join, type Sql, sql, typeName } from '../sql/sql.ts'
import type { FileColumn } from './format.ts'

/** The system columns a file holds; the others are given anew by a restore. */
const keptColumns = ['_time', '_seq_no', '_version', '_id', '_routing', '_ignored', '_source'] as const

function storedType({ type, many }: Pick<FileColumn, 'type' | 'many'>): string | undefined {
  const stored = columnType(type, many)
  return stored === undefined ? undefined : segmentType(stored)
}

/** The columns of values a table has, as files name them, each with the table's own name. */
export function tableColumns(table: TableMeta): { readonly column: FileColumn; readonly name: string }[] {
  return table.columns.flatMap(({ path, type, name, manyName, indexed }) => {
    if (columnType(type, false) === undefined) return []
    const one = { column: { path, type, many: false, indexed: indexed === true }, name }
    if (manyName === undefined) return [one]
    return [one, { column: { path, type, many: true, indexed: false }, name: manyName }]
  })
}

/** The columns of a file in its order: system columns, then values as `v0`, `v1`, … */
export function fileColumns(layout: readonly FileColumn[]): SegmentColumn[] {
  const system = keptColumns.map((name) => ({ name, type: segmentType(systemColumns[name]) }))
  const values = layout.map((column, at) => {
    const type = storedType(column)
    if (type === undefined) throw new Error(`BUG: values of type [${column.type}] are not stored`)
    return { name: `v${at}`, type }
  })
  return [...system, ...values]
}

/** The select list that makes a file of rows; `names` are the table's columns of the layout. Plain types, so that equal rows give equal bytes. */
export function fileSelection(table: TableMeta, layout: readonly FileColumn[], names: readonly string[]): Sql {
  const system = keptColumns.map((name) => (name === '_source' ? keptSource(table) : ident(name)))
  const own = [...system, ...names.map(ident)]
  const columns = fileColumns(layout).map(
    ({ name, type }, at) => sql`CAST(${own[at] ?? ident(name)} AS ${typeName(type)}) AS ${ident(name)}`,
  )
  return join(columns, ', ')
}
