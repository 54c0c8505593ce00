import { formatCell } from '../format-cell.ts'
import type { Cell, Column, Table } from './table.ts'
import { valuesJoint } from './to-table.ts'

/** A column of a turned table, and the one it came of. */
export interface Transposed {
  readonly table: Table
  /** By the id of a column that was made: that of its metric. */
  readonly sources: ReadonlyMap<string, string>
}

/** A table in which each value of some of its groups has columns of its own, one for each metric: Lens' pivot table. */
export function transposed(table: Table, across: readonly string[]): Transposed {
  const turned = table.columns.filter(({ id, role }) => role === 'bucket' && across.includes(id))
  if (turned.length === 0) return { table, sources: new Map() }
  const kept = table.columns.filter((column) => column.role === 'bucket' && !turned.includes(column))
  const metrics = table.columns.filter(({ role }) => role === 'metric')
  const columns = new Map<string, Column>()
  const sources = new Map<string, string>()
  const rows = new Map<string, Record<string, Cell>>()
  for (const row of table.rows) {
    const key = JSON.stringify(kept.map(({ id }) => row[id] ?? null))
    const into = rows.get(key) ?? Object.fromEntries(kept.map(({ id }) => [id, row[id] ?? null]))
    rows.set(key, into)
    const above = turned.map((column) => formatCell(row[column.id], column)).join(valuesJoint)
    for (const metric of metrics) {
      const id = `${above}---${metric.id}`
      columns.set(id, { ...metric, id, label: `${above}${valuesJoint}${metric.label}` })
      sources.set(id, metric.id)
      into[id] = row[metric.id] ?? null
    }
  }
  return { table: { columns: [...kept, ...columns.values()], rows: [...rows.values()] }, sources }
}
