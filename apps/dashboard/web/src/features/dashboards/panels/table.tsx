import { jsonObject, number } from '../../../kibana/saved-json.ts'
import { DataTable } from '../draw/data-table.tsx'
import { SplitTables } from '../draw/split-tables.tsx'
import { legacyVisualization } from '../model/legacy-vis.ts'
import { defineDataPanel } from '../model/panel.ts'
import { filterByCell } from './filter-by-cell.ts'

/** The legacy table; with a split, one table for each of its values. */
export const table = defineDataPanel('table', ({ panel, context }) => {
  const { params, request, schemas } = legacyVisualization(panel, context.objects)
  const split = request.buckets.find(({ id }) => schemas.get(id) === 'split')?.id
  const ui = jsonObject(panel.attributes['uiStateJSON'] ?? jsonObject(panel.attributes['savedVis'])['uiState'])
  // The panel's own state wins over the visualization's.
  const vis = jsonObject(panel.config['vis'] ?? ui['vis'])
  const sort = jsonObject(jsonObject(vis['params'])['sort'])
  const sortIndex = number(sort['columnIndex'])
  return {
    requests: [request],
    draw: ([found]) => {
      const shown = found?.columns.filter(({ id }) => id !== split) ?? []
      const sortColumn = sortIndex === undefined ? undefined : shown[sortIndex]
      const direction = sort['direction'] === 'asc' ? ('asc' as const) : ('desc' as const)
      const look = {
        pageSize: number(params['perPage']) ?? 10,
        sorting: sortColumn ? { id: sortColumn.id, direction } : undefined,
        totals: params['showTotal'] === true,
        onFilterCell: filterByCell(request, context),
      }
      if (!found) return null
      return split === undefined ? (
        <DataTable table={found} {...look} />
      ) : (
        <SplitTables table={found} split={split} beside={params['row'] === false} {...look} />
      )
    },
  }
})
