import type { Cell, Column, Table } from '../../model/table.ts'
import type { Series } from '../language/series.ts'

/** The series of a chart side by side, a row for each moment; `timeLabel` heads the column of moments. */
export function timelionTable(series: readonly Series[], timeLabel: string): Table {
  const rows = new Map<number, Record<string, Cell>>()
  for (const [at, { points }] of series.entries()) {
    for (const [ms, value] of points) {
      const row = rows.get(ms) ?? { time: ms }
      row[`s${at}`] = value
      rows.set(ms, row)
    }
  }
  const time: Column = { id: 'time', label: timeLabel, role: 'bucket', type: 'date' }
  const columns = series.map(
    ({ label, look }, at): Column => ({
      id: `s${at}`,
      label,
      role: 'metric',
      type: 'number',
      format: look.decimals === undefined ? undefined : { id: 'number', decimals: look.decimals },
    }),
  )
  const ordered = [...rows.values()].sort((left, right) => Number(left['time']) - Number(right['time']))
  return { columns: [time, ...columns], rows: ordered }
}
