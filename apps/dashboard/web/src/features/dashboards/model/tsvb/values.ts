import { formatCell } from '../../format-cell.ts'
import type { Cell, Table } from '../table.ts'
import type { TsvbModel, TsvbSeries } from './series.ts'

/** One number of a series: of the whole range, or of its last time bucket. */
export interface TsvbValue {
  readonly label: string
  /** The value of the split, as it is in documents; undefined without a split. */
  readonly key: Cell | undefined
  readonly value: number | string | null
  /** As people read it. */
  readonly text: string
  readonly color: string | undefined
}

/** The numbers of a series, one for each value of its split and each of its columns. */
export function valuesOfSeries(model: Pick<TsvbModel, 'dropsLast'>, series: TsvbSeries, table: Table): TsvbValue[] {
  const { split, time } = series
  const splitColumn = table.columns.find(({ id }) => id === split)
  const groups = new Map<Cell | undefined, Table['rows'][number][]>()
  for (const row of table.rows) {
    const key = splitColumn ? (row[splitColumn.id] ?? null) : undefined
    const rows = groups.get(key)
    if (rows) rows.push(row)
    else groups.set(key, [row])
  }
  return [...groups].flatMap(([key, rows]) => {
    const row = time === undefined ? rows.at(-1) : lastRow(rows, time, model.dropsLast)
    return series.values.map((id) => {
      const column = table.columns.find((one) => one.id === id)
      const value = row?.[id] ?? null
      const own = series.values.length > 1 ? (column?.label ?? series.label) : series.label
      const label = splitColumn && key !== undefined ? keyLabel(series, formatCell(key, splitColumn)) : own
      return { label, key, value, text: formatCell(value, column ?? { type: 'number' }), color: series.color }
    })
  })
}

/** A label may name the value of the split: `Host {{key}}`. */
function keyLabel(series: TsvbSeries, key: string): string {
  const pattern = /\{\{\s*key\s*\}\}/g
  return pattern.test(series.label) ? series.label.replaceAll(pattern, key) : key
}

function lastRow(rows: Table['rows'], time: string, dropsLast: boolean): Table['rows'][number] | undefined {
  const inOrder = [...rows].sort((left, right) => Number(left[time]) - Number(right[time]))
  return dropsLast && inOrder.length > 1 ? inOrder.at(-2) : inOrder.at(-1)
}
