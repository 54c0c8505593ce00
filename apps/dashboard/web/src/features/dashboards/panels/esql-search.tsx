import { texts } from '../../../kibana/saved-json.ts'
import { DataTable } from '../draw/data-table.tsx'
import type { PanelProps, PreparedPanel } from '../model/panel.ts'
import type { PanelModel } from '../model/panel-model.ts'
import { savedEsqlRequest } from '../model/saved-esql.ts'
import type { Table } from '../model/table.ts'
import { filterByCell } from './filter-by-cell.ts'

const rowsPerPage = 100

/** Whether a saved search asks in ES|QL. */
export function isEsqlSearch(panel: PanelModel): boolean {
  return savedEsqlRequest(panel) !== undefined
}

/** The rows of a saved search in ES|QL, with the columns it was saved with, as far as they are answered. */
export function prepareEsqlSearch({ panel, context }: PanelProps): PreparedPanel {
  const request = savedEsqlRequest(panel)
  const wanted = texts(panel.config['columns'] ?? panel.attributes['columns'])
  const shown = ({ columns }: Table) => {
    const chosen = wanted.flatMap((name) => columns.find(({ id }) => id === name) ?? [])
    return chosen.length > 0 ? chosen : columns
  }
  return {
    requests: request ? [request] : [],
    draw: ([table]) =>
      table &&
      request && (
        <DataTable
          table={table}
          columns={shown(table)}
          pageSize={rowsPerPage}
          onFilterCell={filterByCell(request, context)}
        />
      ),
  }
}
