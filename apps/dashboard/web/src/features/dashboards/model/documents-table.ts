import type { Hit } from '../../../api/search.ts'
import { shownValue } from '../../../documents/field-text.tsx'
import { fieldsOfHit } from '../../../documents/fields-of-hit.ts'
import type { FieldNames } from '../../../kibana/field-names.ts'
import { type Json, jsonObject, number, texts } from '../../../kibana/saved-json.ts'
import type { FieldFormats } from '../../../kibana/value-format.ts'
import type { Column, Table } from './table.ts'

/** The documents of a saved search as the rows of a table: their time, then their columns, or without columns the whole document. */
export function documentsTable(found: {
  readonly hits: readonly Hit[]
  readonly timeField: string | undefined
  readonly columns: readonly string[]
  readonly types: ReadonlyMap<string, string>
  readonly formats?: FieldFormats | undefined
  /** What the index pattern calls fields. */
  readonly names?: FieldNames | undefined
}): Table {
  const { timeField } = found
  const isWhole = found.columns.length === 0
  const names = [...new Set([...(timeField === undefined ? [] : [timeField]), ...found.columns])]
  const columns = [...names, ...(isWhole ? [wholeDocument] : [])].map(
    (name): Column => ({ id: name, label: found.names?.[name] ?? name, role: 'bucket', type: 'text' }),
  )
  const rows = found.hits.map((hit) => {
    const fields = fieldsOfHit(hit)
    const cells = names.map((name) => [
      name,
      shownValue(fields.get(name), name === timeField ? 'date' : found.types.get(name), found.formats?.[name]),
    ])
    return Object.fromEntries(isWhole ? [...cells, [wholeDocument, JSON.stringify(hit._source ?? {})]] : cells)
  })
  return { columns, rows }
}

const wholeDocument = '_source'

/** How a saved search, or its panel, orders and sizes its columns. */
export function savedLook(
  attributes: Json,
  config: Json,
): { sort: { field: string; direction: 'asc' | 'desc' } | undefined; widths: Readonly<Record<string, number>> } {
  const saved = [config['sort'], attributes['sort']].find((value) => Array.isArray(value) && value.length > 0)
  const [first] = (saved ?? []) as unknown[]
  // Older exports hold one order, newer ones a list of them.
  const [field, direction] = Array.isArray(first) ? (first as unknown[]) : texts(saved)
  const columns = Object.entries(jsonObject(jsonObject(config['grid'] ?? attributes['grid'])['columns']))
  const widths = columns.flatMap(([name, look]) => {
    const width = number(jsonObject(look)['width'])
    return width === undefined ? [] : [[name, width] as const]
  })
  const sort =
    typeof field === 'string'
      ? { field, direction: direction === 'asc' ? ('asc' as const) : ('desc' as const) }
      : undefined
  return { sort, widths: Object.fromEntries(widths) }
}
