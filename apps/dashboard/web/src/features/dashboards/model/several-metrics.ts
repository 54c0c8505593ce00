import type { Cell, Table } from './table.ts'

/** The columns of a table of several metrics: which one it is, and its number. */
export const metricColumn = 'metric-name'
export const valueColumn = 'metric-value'

/** A table with a row for each of some metrics in place of a column each; numbers look as the first of them does. */
export function severalMetrics(table: Table, metrics: readonly string[]): Table {
  const columns = metrics.flatMap((id) => table.columns.find((column) => column.id === id) ?? [])
  const others = table.columns.filter(({ role }) => role === 'bucket')
  return {
    columns: [
      ...others,
      { id: metricColumn, label: '', role: 'bucket', type: 'text' },
      { id: valueColumn, label: '', role: 'metric', type: 'number', format: columns[0]?.format },
    ],
    rows: table.rows.flatMap((row) =>
      columns.map(
        ({ id, label }): Record<string, Cell> => ({
          ...row,
          [metricColumn]: label,
          [valueColumn]: row[id] ?? null,
        }),
      ),
    ),
  }
}
