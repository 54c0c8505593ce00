import { formatNumber } from '../../format/format.ts'
import { formatAs } from '../../format/format-as.ts'
import { formatInstant } from '../../time/time-range.ts'
import { messages } from './messages.ts'
import type { Cell, Column } from './model/table.ts'

/** A cell as people read it, by its column's type and format. */
export function formatCell(value: Cell | undefined, column: Pick<Column, 'type' | 'format' | 'intervalMs'>): string {
  if (value === null || value === undefined) return '-'
  const isDate = column.type === 'date' && typeof value === 'number'
  const { format } = column
  if (isDate && format?.pattern === undefined && format?.id !== 'relative') return formatInstant(value).slice(0, 19)
  if (value === '') return messages.emptyValue
  if (format) return formatAs(value, format)
  return typeof value === 'number' ? formatNumber(value) : value
}
