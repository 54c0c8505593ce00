import { Box, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatCell } from '../format-cell.ts'
import type { Cell, Table } from '../model/table.ts'

// Charts that are smaller show nothing; then the panel scrolls.
const sizeMin = { width: 150, height: 130 }
const chartsMax = 24

/** One chart for each value of a column, below or beside each other, with the value as its heading. */
export function SplitCharts({
  table,
  split,
  rows,
  draw,
}: {
  table: Table
  split: string
  rows: boolean
  draw: (part: Table, cells: Readonly<Record<string, Cell>>, heading: string) => ReactNode
}) {
  const column = table.columns.find(({ id }) => id === split)
  const columns = table.columns.filter(({ id }) => id !== split)
  const groups = new Map<Cell, Table['rows'][number][]>()
  for (const row of table.rows) {
    const key = row[split] ?? null
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return (
    // What scrolls must be reached by keyboards.
    <Box
      tabIndex={0}
      role="region"
      aria-label={column?.label ?? split}
      style={{ display: 'flex', flexDirection: rows ? 'column' : 'row', height: '100%', overflow: 'auto' }}
    >
      {[...groups].slice(0, chartsMax).map(([key, part]) => {
        const heading = formatCell(key, column ?? { type: 'text' })
        return (
          <section key={heading} aria-label={heading} style={rows ? rowStyle : columnStyle}>
            <Title order={3} size="h6" px="xs" className="truncate" style={{ flexShrink: 0 }}>
              {column ? `${heading}: ${column.label}` : heading}
            </Title>
            <div style={{ flex: 1, minHeight: 0 }}>{draw({ columns, rows: part }, { [split]: key }, heading)}</div>
          </section>
        )
      })}
    </Box>
  )
}

const shared = { display: 'flex', flexDirection: 'column' } as const
const rowStyle = { ...shared, flex: `1 0 ${sizeMin.height}px`, minWidth: 0 }
const columnStyle = { ...shared, flex: `1 0 ${sizeMin.width}px`, minHeight: 0 }
