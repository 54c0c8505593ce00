import { jsonArray, jsonObject, number, text } from '../../../kibana/saved-json.ts'
import { DataTable } from '../draw/data-table.tsx'
import { lensVisualization } from '../model/lens.ts'
import { layerRequest } from '../model/lens-layer.ts'
import { defineDataPanel } from '../model/panel.ts'
import type { Column, Table } from '../model/table.ts'
import { filterByCell } from './filter-by-cell.ts'

/** The Lens table. */
export const lnsDatatable = defineDataPanel('lnsDatatable', ({ panel, context }) => {
  const visualization = lensVisualization(panel)
  const request = layerRequest(panel, text(visualization['layerId']) ?? '', context.objects)
  const settings = jsonArray(visualization['columns'])
  const paging = jsonObject(visualization['paging'])
  const sorting = jsonObject(visualization['sorting'])
  const sortId = text(sorting['columnId'])
  const direction = sorting['direction'] === 'asc' ? ('asc' as const) : ('desc' as const)
  const shown = (table: Table): Column[] => {
    const visible = settings.filter((setting) => setting['hidden'] !== true)
    const listed = visible.flatMap((setting) => table.columns.find(({ id }) => id === setting['columnId']) ?? [])
    // Groups come before numbers whatever the order in the list, as in Kibana.
    return [...listed].sort((left, right) => Number(left.role === 'metric') - Number(right.role === 'metric'))
  }
  return {
    requests: request ? [request] : [],
    draw: ([table]) =>
      table &&
      request && (
        <DataTable
          table={table}
          columns={shown(table)}
          pageSize={paging['enabled'] === true ? (number(paging['size']) ?? 10) : 100}
          sorting={sortId ? { id: sortId, direction } : undefined}
          onFilterCell={filterByCell(request, context)}
        />
      ),
  }
})
