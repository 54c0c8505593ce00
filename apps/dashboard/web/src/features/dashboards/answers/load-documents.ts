import { searchTogether } from '../../../api/search-batch.ts'
import { numericTypes } from '../../../fields/numeric-types.ts'
import { buildQuery } from '../../../query/build-query.ts'
import type { DashboardContext } from '../model/panel.ts'
import type { Cell, Column, DocumentsSpec, Table, TableRequest } from '../model/table.ts'
import { pointCell } from '../model/to-table.ts'
import type { PanelAnswer } from './panel-answer.ts'

/** Asks for the documents of a request: a row each, with the fields that are wanted and no more of them. */
export async function loadDocuments(
  request: TableRequest,
  context: Pick<DashboardContext, 'range' | 'queries' | 'filters'>,
  types: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<PanelAnswer> {
  const { index, timeField, documents = { fields: [], size: 0 } } = request
  const query = buildQuery({
    timeField,
    range: context.range,
    queries: [...(request.alone ? [] : context.queries), ...request.queries],
    filters: [...(request.alone ? [] : context.filters), ...request.filters],
    types,
  })
  const { size, fields, sort, oneOf } = documents
  const order = sort ?? (timeField === undefined ? undefined : { field: timeField, direction: 'desc' as const })
  const body = {
    size,
    track_total_hits: true,
    query,
    _source: false,
    fields: [...fields],
    ...(order ? { sort: [{ [order.field]: { order: order.direction, unmapped_type: 'date' } }] } : {}),
    ...(oneOf === undefined ? {} : { collapse: { field: oneOf } }),
  }
  const answer = await searchTogether(index, body, signal)
  const hits = answer.hits.hits as readonly { readonly fields?: Readonly<Record<string, readonly unknown[]>> }[]
  const table = documentRows(documents, hits, types)
  return { table, request, index, body, answer, told: [answer] }
}

/** The rows of documents, by the `fields` of their hits. */
export function documentRows(
  { fields }: DocumentsSpec,
  hits: readonly { readonly fields?: Readonly<Record<string, readonly unknown[]>> }[],
  types: ReadonlyMap<string, string>,
): Table {
  const columns = fields.map((name): Column => {
    const type = numericTypes.has(types.get(name) ?? '') ? 'number' : 'text'
    return { id: name, label: name, role: type === 'number' ? 'metric' : 'bucket', type, field: name }
  })
  const rows = hits.map((hit) => Object.fromEntries(fields.map((name) => [name, cellOf(hit.fields?.[name])])))
  return { columns, rows }
}

function cellOf(values: readonly unknown[] | undefined): Cell {
  const [value] = values ?? []
  if (typeof value === 'number' || typeof value === 'string')
    return values?.length === 1 ? value : (values ?? []).join(', ')
  if (typeof value === 'boolean') return String(value)
  const { type, coordinates } = (value ?? {}) as { type?: unknown; coordinates?: unknown }
  if (type !== 'Point' || !Array.isArray(coordinates)) return null
  return pointCell({ lon: coordinates[0] as unknown, lat: coordinates[1] as unknown })
}
