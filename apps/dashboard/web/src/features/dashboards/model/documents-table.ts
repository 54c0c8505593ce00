import type { Hit } from '../../../api/search.ts'
import { flatten } from '../../../fields/flatten.ts'
import { formatValue } from '../../../format/format.ts'
import type { Column, Table } from './table.ts'

/** The documents of a saved search as the rows of a table: their time, then their columns, or without columns the whole document. */
export function documentsTable(found: {
  readonly hits: readonly Hit[]
  readonly timeField: string | undefined
  readonly columns: readonly string[]
  readonly types: ReadonlyMap<string, string>
}): Table {
  const { timeField } = found
  const isWhole = found.columns.length === 0
  const names = [...new Set([...(timeField === undefined ? [] : [timeField]), ...found.columns])]
  const columns = [...names, ...(isWhole ? [wholeDocument] : [])].map(
    (name): Column => ({ id: name, label: name, role: 'bucket', type: 'text' }),
  )
  const rows = found.hits.map((hit) => {
    const fields = flatten(hit._source ?? {})
    const cells = names.map((name) => [
      name,
      formatValue(fields.get(name), name === timeField ? 'date' : found.types.get(name)),
    ])
    return Object.fromEntries(isWhole ? [...cells, [wholeDocument, JSON.stringify(hit._source ?? {})]] : cells)
  })
  return { columns, rows }
}

const wholeDocument = '_source'
