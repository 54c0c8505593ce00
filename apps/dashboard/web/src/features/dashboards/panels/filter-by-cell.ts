import type { Cell, Column, TableRequest } from '../model/table.ts'
import type { DashboardContext } from './panel.ts'

/** Turns a click on a cell of a terms column into a filter of the dashboard. */
export function filterByCell(request: TableRequest, context: DashboardContext): (column: Column, value: Cell) => void {
  return (column, value) => {
    const bucket = request.buckets.find(({ id }) => id === column.id)
    if (bucket?.type !== 'terms' || value === null) return
    if (value === bucket.otherLabel && bucket.otherBucket) return
    if (value === bucket.missingLabel) context.onFilter({ field: bucket.field, negate: true })
    else context.onFilter({ field: bucket.field, value })
  }
}
