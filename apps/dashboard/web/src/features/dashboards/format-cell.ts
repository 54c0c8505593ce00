import { formatNumber } from '../../format/format.ts'
import { formatInstant } from '../../time/time-range.ts'
import type { Cell, Column, ValueFormat } from './model/table.ts'
import { unitMsOf } from './model/tsvb/format.ts'

/** A cell as people read it, by its column's type and format. */
export function formatCell(value: Cell | undefined, column: Pick<Column, 'type' | 'format' | 'intervalMs'>): string {
  if (value === null || value === undefined) return '-'
  if (column.type === 'date' && typeof value === 'number') return formatInstant(value).slice(0, 19)
  if (typeof value === 'number') return formatMetric(value, column.format)
  const { lookup, letters } = column.format ?? {}
  if (letters) return letters === 'upper' ? value.toUpperCase() : value.toLowerCase()
  return lookup ? (lookup[value] ?? lookup[''] ?? value) : value
}

/** A number in the format its column asks for. */
export function formatMetric(value: number, format: ValueFormat | undefined): string {
  const suffix = format?.suffix ? ` ${format.suffix}` : ''
  const shown = formatPlain(value, format) + suffix
  return format?.template === undefined ? shown : format.template.replaceAll(/\{\{\s*value\s*\}\}/g, shown)
}

function formatPlain(value: number, format: ValueFormat | undefined): string {
  if (format === undefined) return formatNumber(value)
  const word = format.lookup?.[String(value)] ?? format.lookup?.['']
  if (word !== undefined) return word
  switch (format.id) {
    case 'bytes':
      return formatScaled(value, byteUnits, 1024, format)
    case 'bits':
      return formatScaled(value, bitUnits, 1000, format)
    case 'percent':
      return `${digits(value * 100, format.decimals ?? 1, format.trimmed)}%`
    case 'duration':
      return formatDuration(value * (format.unitMs ?? 1), format)
    case 'text':
      return String(value)
    case 'number':
      if (format.compact) return formatScaled(value, thousands, 1000, format)
      return format.decimals === undefined ? formatNumber(value) : digits(value, format.decimals, format.trimmed)
  }
}

const byteUnits = [' B', ' KB', ' MB', ' GB', ' TB', ' PB']
const bitUnits = ['bit', 'kbit', 'Mbit', 'Gbit', 'Tbit', 'Pbit']
const thousands = ['', 'k', 'm', 'b', 't']

/** A number in the largest unit of which it is at least one. */
function formatScaled(value: number, units: readonly string[], step: number, format: ValueFormat): string {
  let scaled = value
  let at = 0
  while (Math.abs(scaled) >= step && at < units.length - 1) {
    scaled /= step
    at++
  }
  const { decimals, trimmed } = format
  return digits(scaled, decimals ?? 1, trimmed ?? decimals === undefined) + (units[at] ?? '')
}

function digits(value: number, decimals: number, trimmed = false): string {
  const most = Math.min(decimals, decimalsMax)
  return value.toLocaleString('en-US', { minimumFractionDigits: trimmed ? 0 : most, maximumFractionDigits: most })
}

const decimalsMax = 20

/** Milliseconds in the unit that is asked for, or in the largest one of which they are at least one. */
function formatDuration(ms: number, { to, decimals }: ValueFormat): string {
  const fitting = ['w', 'd', 'h', 'm', 's', 'ms'].find((unit) => Math.abs(ms) >= unitMsOf(unit))
  const unit = to ?? fitting ?? 'ms'
  return `${formatNumber(Number((ms / unitMsOf(unit)).toFixed(decimals ?? 2)))} ${unit}`
}

/** Where a cell leads to, and what the link says; nothing for a cell that is no link. */
export function cellLink(value: Cell, { format }: Pick<Column, 'format'>): { href: string; label: string } | undefined {
  const { link } = format ?? {}
  if (!link || value === null) return undefined
  const filled = (template: string, write: (text: string) => string): string =>
    template.replaceAll(/\{\{\s*(?:raw)?value\s*\}\}/gi, write(String(value)))
  // A template that is the value alone means an address; else the value is a part of one.
  const isWhole = /^\{\{\s*(?:raw)?value\s*\}\}$/i.test(link.url.trim())
  const href = filled(link.url.trim(), isWhole ? String : encodeURIComponent)
  return { href, label: link.label ? filled(link.label, String) : String(value) }
}
