import { formatBytes, formatNumber } from '../../format/format.ts'
import { formatInstant } from '../../time/time-range.ts'
import type { Cell, Column, ValueFormat } from './model/table.ts'

/** A cell as people read it, by its column's type and format. */
export function formatCell(value: Cell | undefined, column: Pick<Column, 'type' | 'format' | 'intervalMs'>): string {
  if (value === null || value === undefined) return '-'
  if (column.type === 'date' && typeof value === 'number') return formatInstant(value).slice(0, 19)
  return typeof value === 'number' ? formatMetric(value, column.format) : value
}

/** A number in the format its column asks for. */
export function formatMetric(value: number, format: ValueFormat | undefined): string {
  const suffix = format?.suffix ? ` ${format.suffix}` : ''
  if (format?.id === 'bytes') return formatBytes(value) + suffix
  if (format?.id === 'percent') return `${(value * 100).toFixed(format.decimals ?? 1)}%${suffix}`
  if (format?.decimals !== undefined) {
    const fixed = { minimumFractionDigits: format.decimals, maximumFractionDigits: format.decimals }
    return value.toLocaleString('en-US', fixed) + suffix
  }
  return formatNumber(Math.abs(value) >= 100 ? Math.round(value) : Number(value.toFixed(2))) + suffix
}
