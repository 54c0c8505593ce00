import type { FieldFilter } from '../../../query/build-query.ts'
import type { Cell, Column, TableRequest } from '../model/table.ts'
import type { DashboardContext } from './panel.ts'

/** The filters that the documents of a row have in common, of its columns that are named; groups that are no values are left out. */
export function filtersOfRow(
  request: TableRequest,
  row: Readonly<Record<string, Cell>>,
  columns: readonly string[],
): FieldFilter[] {
  return columns.flatMap((id) => filterOf(request, id, row[id] ?? null) ?? [])
}

/** Turns a click on a cell of a terms column into a filter of the dashboard. */
export function filterByCell(request: TableRequest, context: DashboardContext): (column: Column, value: Cell) => void {
  return (column, value) => {
    const filter = filterOf(request, column.id, value)
    if (filter) context.onFilter(filter)
  }
}

function filterOf(request: TableRequest, columnId: string, value: Cell): FieldFilter | undefined {
  const bucket = request.buckets.find(({ id }) => id === columnId)
  if (bucket?.type !== 'terms' || value === null) return undefined
  if (value === bucket.otherLabel && bucket.otherBucket) return undefined
  return value === bucket.missingLabel ? { field: bucket.field, negate: true } : { field: bucket.field, value }
}
