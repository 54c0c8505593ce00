import { formatCell } from '../format-cell.ts'
import type { Cell, Table } from '../model/table.ts'

/** One part of a whole with the parts it is made of. */
export interface SliceTree {
  readonly id: string
  readonly name: string
  readonly value: number
  /** The groups on the way to it, by column. */
  readonly cells: Readonly<Record<string, Cell>>
  readonly parts: readonly SliceTree[]
}

/** The parts of a table by its group columns, outermost first; parts without a positive value are left out. */
export function sliceTree(table: Table, groups: readonly string[], metric: string): SliceTree[] {
  const known = groups.filter((id) => table.columns.some((column) => column.id === id))
  if (known.length === 0) return wholeOf(table, metric)
  return partsOf(table, table.rows, known, metric, {})
}

function partsOf(
  table: Table,
  rows: Table['rows'],
  [group, ...deeper]: readonly string[],
  metric: string,
  above: Readonly<Record<string, Cell>>,
): SliceTree[] {
  const column = table.columns.find(({ id }) => id === group)
  if (group === undefined || !column) return []
  const byKey = new Map<Cell, Table['rows'][number][]>()
  for (const row of rows) {
    const key = row[group] ?? null
    const known = byKey.get(key)
    if (known) known.push(row)
    else byKey.set(key, [row])
  }
  return [...byKey].flatMap(([key, own]) => {
    const value = own.reduce((sum, row) => sum + Number(row[metric] ?? 0), 0)
    if (!(value > 0)) return []
    const cells = { ...above, [group]: key }
    const id = JSON.stringify(Object.values(cells))
    return [{ id, name: formatCell(key, column), value, cells, parts: partsOf(table, own, deeper, metric, cells) }]
  })
}

/** Without a group every row is a part of its own; there is one. */
function wholeOf(table: Table, metric: string): SliceTree[] {
  const column = table.columns.find(({ id }) => id === metric)
  return table.rows.flatMap((row) => {
    const value = Number(row[metric] ?? 0)
    return value > 0 ? [{ id: metric, name: column?.label ?? metric, value, cells: {}, parts: [] }] : []
  })
}

/** The parts of a slice, or the slice itself where it has none. */
export function slicesOf(slice: SliceTree): readonly SliceTree[] {
  return slice.parts.length > 0 ? slice.parts : [slice]
}
