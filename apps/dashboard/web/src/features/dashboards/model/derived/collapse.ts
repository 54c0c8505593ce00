import type { Cell, Collapse, CollapseFunction, Table } from '../table.ts'

type Row = Record<string, Cell>

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const functions: Readonly<Record<CollapseFunction, (values: readonly number[]) => number>> = {
  sum,
  avg: (values) => sum(values) / values.length,
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
}

/** A table in which the rows that differ in some of its groups alone became one each; those columns are gone. */
export function collapsed(table: Table, collapses: readonly Collapse[]): Table {
  return collapses.reduce((before, { bucket, by }) => collapsedBy(before, bucket, functions[by]), table)
}

function collapsedBy(table: Table, bucket: string, combine: (values: readonly number[]) => number): Table {
  const columns = table.columns.filter(({ id }) => id !== bucket)
  if (columns.length === table.columns.length) return table
  const kept = columns.filter(({ role }) => role === 'bucket')
  const groups = new Map<string, Row[]>()
  for (const row of table.rows) {
    const key = JSON.stringify(kept.map(({ id }) => row[id] ?? null))
    const rows = groups.get(key)
    if (rows) rows.push(row)
    else groups.set(key, [row])
  }
  const rows = [...groups.values()].map((together) => {
    const cells = columns.map(({ id, role }): [string, Cell] => {
      if (role === 'bucket') return [id, together[0]?.[id] ?? null]
      const numbers = together.map((row) => row[id]).filter((value) => typeof value === 'number')
      return [id, numbers.length === 0 ? null : combine(numbers)]
    })
    return Object.fromEntries(cells)
  })
  return { columns, rows }
}
