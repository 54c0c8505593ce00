import { text, texts } from '../../../../kibana/saved-json.ts'
import { DataTable } from '../../draw/data-table.tsx'
import type { PanelProps } from '../../model/panel.ts'
import type { Cell, Column, Table } from '../../model/table.ts'
import type { TsvbModel } from '../../model/tsvb/series.ts'
import { valuesOfSeries } from '../../model/tsvb/values.ts'

const rowsPerPage = 100

/** TSVB's table: a row for each value of the field it pivots on, a column for each series. */
export function drawTable(model: TsvbModel, tables: readonly Table[], { context }: PanelProps) {
  const field = text(model.params['pivot_id']) ?? texts(model.params['pivot_id'])[0]
  const table = pivoted(model, tables, field)
  const onFilterCell = (_: Column, value: Cell): void => {
    if (field && value !== null) context.onFilter({ field, value })
  }
  return <DataTable table={table} pageSize={rowsPerPage} {...(field ? { onFilterCell } : {})} />
}

/** The numbers of all series side by side. */
function pivoted(model: TsvbModel, tables: readonly Table[], field: string | undefined): Table {
  const rows = new Map<Cell, Record<string, Cell>>()
  const columns: Column[] = []
  if (field)
    columns.push({ id: 'pivot', label: text(model.params['pivot_label']) || field, role: 'bucket', type: 'text' })
  for (const [at, series] of model.series.entries()) {
    const table = tables[at]
    if (!table) continue
    const id = `series${at}`
    columns.push({ id, label: series.label, role: 'metric', type: 'number', format: series.format })
    for (const { key = null, value } of valuesOfSeries(model, series, table)) {
      const row = rows.get(key) ?? { pivot: key }
      row[id] = value
      rows.set(key, row)
    }
  }
  return { columns, rows: [...rows.values()] }
}
