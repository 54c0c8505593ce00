import { formatBytes, formatNumber } from '../../format/format.ts'
import { formatInstant } from '../../time/time-range.ts'
import type { Cell, Column, ValueFormat } from './model/table.ts'
import { unitMsOf } from './model/tsvb/format.ts'

/** A cell as people read it, by its column's type and format. */
export function formatCell(value: Cell | undefined, column: Pick<Column, 'type' | 'format' | 'intervalMs'>): string {
  if (value === null || value === undefined) return '-'
  if (column.type === 'date' && typeof value === 'number') return formatInstant(value).slice(0, 19)
  return typeof value === 'number' ? formatMetric(value, column.format) : value
}

/** A number in the format its column asks for. */
export function formatMetric(value: number, format: ValueFormat | undefined): string {
  const suffix = format?.suffix ? ` ${format.suffix}` : ''
  const shown = formatPlain(value, format) + suffix
  return format?.template === undefined ? shown : format.template.replaceAll(/\{\{\s*value\s*\}\}/g, shown)
}

function formatPlain(value: number, format: ValueFormat | undefined): string {
  if (format?.id === 'bytes') return formatBytes(value)
  if (format?.id === 'percent') return `${(value * 100).toFixed(format.decimals ?? 1)}%`
  if (format?.id === 'duration') return formatDuration(value * (format.unitMs ?? 1), format)
  if (format?.decimals !== undefined) {
    const fixed = { minimumFractionDigits: format.decimals, maximumFractionDigits: format.decimals }
    return value.toLocaleString('en-US', fixed)
  }
  return formatNumber(Math.abs(value) >= 100 ? Math.round(value) : Number(value.toFixed(2)))
}

/** Milliseconds in the unit that is asked for, or in the largest one of which they are at least one. */
function formatDuration(ms: number, { to, decimals }: ValueFormat): string {
  const fitting = ['w', 'd', 'h', 'm', 's', 'ms'].find((unit) => Math.abs(ms) >= unitMsOf(unit))
  const unit = to ?? fitting ?? 'ms'
  return `${formatNumber(Number((ms / unitMsOf(unit)).toFixed(decimals ?? 2)))} ${unit}`
}
