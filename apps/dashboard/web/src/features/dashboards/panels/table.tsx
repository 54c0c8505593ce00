import { jsonObject, number, text } from '../../../kibana/saved-json.ts'
import { DataTable, type TotalFunction, totalFunctions } from '../draw/data-table.tsx'
import { SplitTables } from '../draw/split-tables.tsx'
import { legacyVisualization } from '../model/legacy-vis.ts'
import { defineDataPanel } from '../model/panel.ts'
import type { Cell, Column, Table } from '../model/table.ts'
import { filterByCell } from './filter-by-cell.ts'

/** The legacy table; with a split, one table for each of its values. */
export const table = defineDataPanel('table', ({ panel, context }) => {
  const { params, request, schemas } = legacyVisualization(panel, context.objects)
  const split = request.buckets.find(({ id }) => schemas.get(id) === 'split')?.id
  const ui = jsonObject(panel.attributes['uiStateJSON'] ?? jsonObject(panel.attributes['savedVis'])['uiState'])
  // The panel's own state wins over the visualization's.
  const vis = jsonObject(panel.config['vis'] ?? ui['vis'])
  // Since Kibana 7.11 in a place of its own.
  const newer = jsonObject(vis['sortColumn'])
  const sort = number(newer['colIndex']) === undefined ? jsonObject(jsonObject(vis['params'])['sort']) : newer
  const sortIndex = number(sort['colIndex'] ?? sort['columnIndex'])
  return {
    requests: [request],
    draw: ([answered]) => {
      const found = answered && withPercentages(answered, text(params['percentageCol']), split)
      const shown = found?.columns.filter(({ id }) => id !== split) ?? []
      const sortColumn = sortIndex === undefined ? undefined : shown[sortIndex]
      const direction = sort['direction'] === 'asc' ? ('asc' as const) : ('desc' as const)
      const look = {
        pageSize: number(params['perPage']) ?? 10,
        sorting: sortColumn ? { id: sortColumn.id, direction } : undefined,
        totals: params['showTotal'] === true ? totalsOf(shown, params['totalFunc']) : undefined,
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

function totalsOf(columns: readonly Column[], saved: unknown): ReadonlyMap<string, TotalFunction> {
  const by = totalFunctions.find((one) => one === saved) ?? 'sum'
  return new Map(columns.filter(({ role }) => role === 'metric').map(({ id }) => [id, by]))
}

/** The table with the share that each number of one column has of all of them, beside that column; of each small table's own. */
function withPercentages(table: Table, label: string | undefined, split: string | undefined): Table {
  const column = label ? table.columns.find((one) => one.role === 'metric' && one.label === label) : undefined
  if (!column) return table
  const id = `${column.id}-percentage`
  const partOf = (row: Table['rows'][number]): Cell => (split === undefined ? null : (row[split] ?? null))
  const sums = new Map<Cell, number>()
  for (const row of table.rows) sums.set(partOf(row), (sums.get(partOf(row)) ?? 0) + Number(row[column.id] ?? 0))
  const share: Column = {
    id,
    label: `${column.label} percentages`,
    role: 'metric',
    type: 'number',
    format: { id: 'percent', decimals: 2 },
  }
  return {
    columns: table.columns.flatMap((one) => (one === column ? [one, share] : [one])),
    rows: table.rows.map((row) => {
      const sum = sums.get(partOf(row)) ?? 0
      return { ...row, [id]: sum === 0 ? null : Number(row[column.id] ?? 0) / sum }
    }),
  }
}
