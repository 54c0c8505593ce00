import { Anchor, Group, Pagination, Text, UnstyledButton } from '@mantine/core'
import { ArrowDown, ArrowUp, ZoomIn } from 'lucide-react'
import { type CSSProperties, useMemo, useState } from 'react'
import { OwnLink } from '../../../documents/own-link.tsx'
import { valueColors } from '../../../format/value-colors.ts'
import { linkOf } from '../../../format/value-link.ts'
import { formatCell } from '../format-cell.ts'
import { messages } from '../messages.ts'
import type { Cell, Column, Table } from '../model/table.ts'
import { contrastOf } from './contrast.ts'

interface Sorting {
  readonly id: string
  readonly direction: 'asc' | 'desc'
}

/** How the numbers of a column become one. */
export type TotalFunction = (typeof totalFunctions)[number]

export const totalFunctions = ['sum', 'avg', 'min', 'max', 'count'] as const

/** How the cells of one column look. */
export interface ColumnLook {
  readonly align?: 'left' | 'center' | 'right' | undefined
  readonly colorOf?: ((value: number) => string | undefined) | undefined
  /** Whether the colour is the text's or the background's. */
  readonly colorMode?: 'text' | 'background'
  /** Whether the value itself is what one clicks to filter by it. */
  readonly isFilter?: boolean
}

/** What a table of a panel is told. */
export interface DataTableProps {
  readonly table: Table
  /** Columns to show, in order; all of them when absent. */
  readonly columns?: readonly Column[]
  readonly pageSize: number
  readonly sorting?: Sorting | undefined
  /** How the numbers of columns become one at the foot, by column. */
  readonly totals?: ReadonlyMap<string, TotalFunction> | undefined
  readonly looks?: ReadonlyMap<string, ColumnLook> | undefined
  /** Called with a bucket column and its value when someone filters by a cell. */
  readonly onFilterCell?: (column: Column, value: Cell) => void
}

/** Rows of a panel, sorted by a click on a column, in pages. */
export function DataTable({
  table,
  columns = table.columns,
  pageSize,
  totals,
  looks,
  onFilterCell,
  ...rest
}: DataTableProps) {
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
                    look={looks?.get(column.id)}
                    onFilterCell={onFilterCell}
                  />
                ))}
              </tr>
            ))}
          </tbody>
          {totals && totals.size > 0 && <Totals columns={columns} rows={table.rows} totals={totals} />}
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
  look,
  onFilterCell,
}: {
  column: Column
  value: Cell
  look: ColumnLook | undefined
  onFilterCell: DataTableProps['onFilterCell'] | undefined
}) {
  const shown = formatCell(value, column)
  const canFilter = onFilterCell !== undefined && column.role === 'bucket' && column.type === 'text' && value !== null
  return (
    <td className={column.role} style={{ ...valueColors(value, column.format), ...styleOf(value, look) }}>
      {canFilter && look?.isFilter ? (
        <Anchor
          component="button"
          type="button"
          fz="inherit"
          aria-label={`${column.label}: ${shown}`}
          onClick={() => onFilterCell(column, value)}
        >
          {shown}
        </Anchor>
      ) : (
        <CellText value={value} column={column} shown={shown} />
      )}
      {canFilter && !look?.isFilter && (
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

/** A cell's words, as a link where its format says so. */
function CellText({ value, column, shown }: { value: Cell; column: Column; shown: string }) {
  const link = linkOf(value, column.format)
  if (!link) return shown
  return (
    <OwnLink href={link.href} newTab={/^https?:/i.test(link.href)}>
      {link.label}
    </OwnLink>
  )
}

function styleOf(value: Cell, look: ColumnLook | undefined): CSSProperties | undefined {
  if (!look) return undefined
  const color = typeof value === 'number' ? look.colorOf?.(value) : undefined
  const painted =
    look.colorMode === 'background' && color ? { background: color, color: contrastOf(color) } : color ? { color } : {}
  return { ...(look.align ? { textAlign: look.align } : {}), ...painted }
}

function Totals({
  columns,
  rows,
  totals,
}: {
  columns: readonly Column[]
  rows: Table['rows']
  totals: ReadonlyMap<string, TotalFunction>
}) {
  return (
    <tfoot>
      <tr>
        {columns.map((column) => {
          const by = totals.get(column.id)
          return (
            <td key={column.id} className={column.role}>
              {by ? formatCell(totalOf(rows, column.id, by), column) : ''}
            </td>
          )
        })}
      </tr>
    </tfoot>
  )
}

/** The numbers of a column as one; nothing of no numbers. */
function totalOf(rows: Table['rows'], id: string, by: TotalFunction): number | null {
  const numbers = rows.map((row) => row[id]).filter((value) => typeof value === 'number')
  if (by === 'count') return rows.length
  if (numbers.length === 0) return null
  const sum = numbers.reduce((all, value) => all + value, 0)
  if (by === 'min') return numbers.reduce((least, value) => Math.min(least, value))
  if (by === 'max') return numbers.reduce((most, value) => Math.max(most, value))
  return by === 'avg' ? sum / numbers.length : sum
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
