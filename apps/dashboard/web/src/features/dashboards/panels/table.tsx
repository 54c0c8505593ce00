import { DataTable } from '../draw/data-table.tsx'
import { legacyVisualization } from '../model/legacy-vis.ts'
import { jsonObject, number } from '../model/saved-json.ts'
import { filterByCell } from './filter-by-cell.ts'
import { defineDataPanel } from './panel.ts'

/** The legacy table; split tables are shown as one, with the split as its first column. */
export const table = defineDataPanel('table', ({ panel, context }) => {
  const { params, request } = legacyVisualization(panel, context.objects)
  const ui = jsonObject(panel.attributes['uiStateJSON'] ?? jsonObject(panel.attributes['savedVis'])['uiState'])
  const sort = jsonObject(jsonObject(jsonObject(ui['vis'])['params'])['sort'])
  const sortIndex = number(sort['columnIndex'])
  return {
    requests: [request],
    draw: ([found]) => {
      const sortColumn = sortIndex === undefined ? undefined : found?.columns[sortIndex]
      const direction = sort['direction'] === 'asc' ? ('asc' as const) : ('desc' as const)
      return (
        found && (
          <DataTable
            table={found}
            pageSize={number(params['perPage']) ?? 10}
            sorting={sortColumn ? { id: sortColumn.id, direction } : undefined}
            totals={params['showTotal'] === true}
            onFilterCell={filterByCell(request, context)}
          />
        )
      )
    },
  }
})
