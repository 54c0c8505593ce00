import type { FieldFilter } from '../../../url-state/field-filters.ts'
import type { DashboardContext } from '../model/panel.ts'
import { type Cell, type Column, isEsql, type PanelRequest, type Table, type TableRequest } from '../model/table.ts'
import { fieldsOfTerms } from '../model/to-search.ts'
import { valuesJoint } from '../model/to-table.ts'

/** The filters that the documents of a row have in common, of its columns that are named; groups that are no values are left out. */
export function filtersOfRow(
  request: TableRequest,
  row: Readonly<Record<string, Cell>>,
  columns: readonly string[],
): FieldFilter[] {
  return columns.flatMap((id) => filtersOfCell(request, id, row[id] ?? null))
}

/** The filters that the documents of what was picked in a table have in common; `cells` are the groups it stands for. */
export function filtersOfPick(
  request: PanelRequest,
  table: Table | undefined,
  cells: Readonly<Record<string, Cell>>,
): FieldFilter[] {
  if (!isEsql(request)) return filtersOfRow(request, cells, Object.keys(cells))
  const columns = table?.columns.filter(({ id }) => id in cells) ?? []
  return columns.flatMap((column) => filtersOfField(column, cells[column.id] ?? null))
}

/** Turns a click on a cell of a group's column into a filter of the dashboard. */
export function filterByCell(request: PanelRequest, context: DashboardContext): (column: Column, value: Cell) => void {
  return (column, value) => {
    const filters = isEsql(request) ? filtersOfField(column, value) : filtersOfCell(request, column.id, value)
    const [only] = filters
    if (only && filters.length === 1) context.onFilter(only)
    else if (only) context.onFilters(filters)
  }
}

/** Of a column that a query made itself no document has the value. */
function filtersOfField({ field }: Column, value: Cell): FieldFilter[] {
  return field === undefined || value === null ? [] : [{ field, value }]
}

function filtersOfCell(request: TableRequest, columnId: string, value: Cell): FieldFilter[] {
  const bucket = request.buckets.find(({ id }) => id === columnId)
  if (bucket?.type !== 'terms' || value === null) return []
  if (value === bucket.otherLabel && bucket.otherBucket) return []
  const fields = fieldsOfTerms(bucket)
  const values = fields.length === 1 ? [value] : String(value).split(valuesJoint)
  // Values that hold the joint themselves cannot be told apart.
  if (values.length !== fields.length) return []
  return fields.map((field, at) => {
    const one = values[at] ?? ''
    return one === bucket.missingLabel ? { field, negate: true } : { field, value: one }
  })
}
