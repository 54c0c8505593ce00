import type { CommandOf } from '@logstack/esql'
import { JsonPiece } from '../json/print-json.ts'
import type { PlannedRows } from '../plan/buckets/row-source.ts'
import { list, sql, str } from '../sql/sql.ts'
import { type Column, columnAt } from './stage.ts'
import type { EsqlType } from './types.ts'

const types: Readonly<Record<string, EsqlType>> = {
  _index: 'keyword',
  _id: 'keyword',
  _version: 'long',
  _ignored: 'keyword',
}

/** The columns of what FROM asks of documents beside their fields. */
export function metadataOf({ metadata }: CommandOf<'from'>, rows: PlannedRows): readonly Column[] {
  return metadata.map(({ name }) => {
    if (name === '_score') return columnAt(name, { type: 'double', many: false }, rows.score())
    if (name === '_source') return sourceColumn(rows)
    if (name === '_index_mode') return { name, type: 'keyword', read: () => ({ sql: modeOf(rows), many: false }) }
    const { sql: alias, many } = rows.field(name)
    return columnAt(name, { type: types[name] ?? 'keyword', many }, alias)
  })
}

/** `_source`: a document as it was given, without what is hidden from the caller. Before it stands the number of its index, which says what that is. */
function sourceColumn(rows: PlannedRows): Column {
  const { index, source } = rows.document()
  return {
    name: '_source',
    type: '_source',
    read: () => ({ sql: sql`concat(toString(${index}), ' ', ${source})`, many: false }),
    show(cell) {
      const text = String(cell)
      const end = text.indexOf(' ')
      const visible = rows.visible(Number(text.slice(0, end)), text.slice(end + 1))
      return visible === undefined ? null : new JsonPiece(visible)
    },
  }
}

/** `_index_mode` of the index of each row. */
function modeOf(rows: PlannedRows) {
  const special = rows.leaves.flatMap(({ indices }) =>
    indices.flatMap(({ name, settings }) => {
      const mode = settings['mode']
      return typeof mode === 'string' && mode !== 'standard' ? [{ name, mode }] : []
    }),
  )
  const { sql: index } = rows.field('_index')
  if (special.length === 0) return sql`if(isNull(${index}), NULL, 'standard')`
  const [names, modes] = [special.map(({ name }) => str(name)), special.map(({ mode }) => str(mode))]
  return sql`transform(${index}, ${list(names)}, ${list(modes)}, 'standard')`
}
