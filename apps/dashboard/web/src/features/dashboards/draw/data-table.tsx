import { Group, Pagination, Text, UnstyledButton } from '@mantine/core'
import { ArrowDown, ArrowUp, ZoomIn } from 'lucide-react'
import { useMemo, useState } from 'react'
import { formatCell } from '../format-cell.ts'
import { messages } from '../messages.ts'
import type { Cell, Column, Table } from '../model/table.ts'

interface Sorting {
  readonly id: string
  readonly direction: 'asc' | 'desc'
}

/** What a table of a panel is told. */
export interface DataTableProps {
  readonly table: Table
  /** Columns to show, in order; all of them when absent. */
  readonly columns?: readonly Column[]
  readonly pageSize: number
  readonly sorting?: Sorting | undefined
  readonly totals?: boolean
  /** Called with a bucket column and its value when someone filters by a cell. */
  readonly onFilterCell?: (column: Column, value: Cell) => void
}

/** Rows of a panel, sorted by a click on a column, in pages. */
export function DataTable({ table, columns = table.columns, pageSize, totals, onFilterCell, ...rest }: DataTableProps) {
  const [sorting, setSorting] = useState(rest.sorting)
  const [page, setPage] = useState(1)
  const rows = useMemo(() => sorted(table.rows, sorting), [table.rows, sorting])
  const pages = Math.max(1, Math.ceil(rows.length / pageSize))
  const shown = rows.slice((Math.min(page, pages) - 1) * pageSize, Math.min(page, pages) * pageSize)
  const toggle = (id: string): void =>
    setSorting({ id, direction: sorting?.id === id && sorting.direction === 'desc' ? 'asc' : 'desc' })
  return (
    <div className="data-table">
      <div className="data-table-scroll">
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.id} className={column.role}>
                  <UnstyledButton onClick={() => toggle(column.id)} fz="inherit" fw={600}>
                    <Group gap={4} wrap="nowrap">
                      {column.label}
                      <SortMark sorting={sorting} id={column.id} />
                    </Group>
                  </UnstyledButton>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {keyed(shown, columns).map(({ key, row }) => (
              <tr key={key}>
                {columns.map((column) => (
                  <TableCell
                    key={column.id}
                    column={column}
                    value={row[column.id] ?? null}
                    onFilterCell={onFilterCell}
                  />
                ))}
              </tr>
            ))}
          </tbody>
          {totals && <Totals columns={columns} rows={table.rows} />}
        </table>
      </div>
      {pages > 1 && (
        <Group justify="space-between" px="xs" pt={6} wrap="nowrap">
          <Text size="xs" className="muted">
            {messages.rows(rows.length)}
          </Text>
          <Pagination
            size="xs"
            total={pages}
            value={Math.min(page, pages)}
            onChange={setPage}
            getControlProps={(control) => ({ 'aria-label': messages.pages[control] })}
          />
        </Group>
      )}
    </div>
  )
}

function SortMark({ sorting, id }: { sorting: Sorting | undefined; id: string }) {
  if (sorting?.id !== id) return null
  return sorting.direction === 'asc' ? <ArrowUp size={12} /> : <ArrowDown size={12} />
}

function TableCell({
  column,
  value,
  onFilterCell,
}: {
  column: Column
  value: Cell
  onFilterCell: DataTableProps['onFilterCell'] | undefined
}) {
  const shown = formatCell(value, column)
  const canFilter = onFilterCell !== undefined && column.role === 'bucket' && column.type === 'text' && value !== null
  return (
    <td className={column.role}>
      {shown}
      {canFilter && (
        <UnstyledButton
          className="data-table-filter"
          aria-label={`${column.label}: ${shown}`}
          onClick={() => onFilterCell(column, value)}
        >
          <ZoomIn size={12} />
        </UnstyledButton>
      )}
    </td>
  )
}

function Totals({ columns, rows }: { columns: readonly Column[]; rows: Table['rows'] }) {
  const sumOf = (column: Column): number => {
    let sum = 0
    for (const row of rows) sum += Number(row[column.id] ?? 0)
    return sum
  }
  return (
    <tfoot>
      <tr>
        {columns.map((column) => (
          <td key={column.id} className={column.role}>
            {column.role === 'metric' ? formatCell(sumOf(column), column) : ''}
          </td>
        ))}
      </tr>
    </tfoot>
  )
}

/** Rows by what they say; those that say the same are numbered. */
function keyed(rows: Table['rows'], columns: readonly Column[]): { key: string; row: Table['rows'][number] }[] {
  const seen = new Map<string, number>()
  return rows.map((row) => {
    const text = columns.map((column) => String(row[column.id])).join('\u0000')
    const count = (seen.get(text) ?? 0) + 1
    seen.set(text, count)
    return { key: `${text}\u0000${count}`, row }
  })
}

function sorted(rows: Table['rows'], sorting: Sorting | undefined): Table['rows'] {
  if (!sorting) return rows
  const sign = sorting.direction === 'asc' ? 1 : -1
  return [...rows].sort((left, right) => sign * compare(left[sorting.id], right[sorting.id]))
}

function compare(left: Cell | undefined, right: Cell | undefined): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  return String(left ?? '').localeCompare(String(right ?? ''))
}
