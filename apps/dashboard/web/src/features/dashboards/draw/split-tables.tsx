import { Title } from '@mantine/core'
import { formatCell } from '../format-cell.ts'
import type { Table } from '../model/table.ts'
import { DataTable, type DataTableProps } from './data-table.tsx'

/** One table for each value of a column, below or beside each other, with the value as its heading. */
export function SplitTables({
  table,
  split,
  beside,
  ...look
}: DataTableProps & { readonly split: string; readonly beside: boolean }) {
  const column = table.columns.find(({ id }) => id === split)
  const columns = table.columns.filter(({ id }) => id !== split)
  const groups = new Map<string, Table['rows'][number][]>()
  for (const row of table.rows) {
    const heading = formatCell(row[split], column ?? { type: 'text' })
    groups.set(heading, [...(groups.get(heading) ?? []), row])
  }
  return (
    <div className={beside ? 'split-tables split-tables-beside' : 'split-tables'}>
      {[...groups].map(([heading, rows]) => (
        <section key={heading} aria-label={heading}>
          <Title order={3} size="h6" px="xs">
            {column ? `${heading}: ${column.label}` : heading}
          </Title>
          <DataTable {...look} table={{ columns, rows }} />
        </section>
      ))}
    </div>
  )
}
