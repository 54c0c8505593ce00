import type { ValueFormat } from '../kibana/value-format.ts'
import { formatInstant } from '../time/time-range.ts'
import { datePattern } from './date-pattern.ts'
import { durationUnits } from './duration-units.ts'
import { formatNumber } from './format.ts'
import { relativeTime } from './relative-time.ts'
import { transformed } from './text-transform.ts'

/** A plain value in words, as its format says. */
export function formatAs(value: string | number | boolean, format: ValueFormat): string {
  const word = format.lookup?.[String(value)] ?? format.lookup?.['']
  if (word !== undefined) return word
  if (format.id === 'date' || format.id === 'relative') return formatDate(value, format)
  if (format.id === 'boolean') return truthOf(value)
  if (format.lengthMax !== undefined) return shortened(String(value), format.lengthMax)
  if (format.letters) return transformed(String(value), format.letters)
  return typeof value === 'number' ? formatMetric(value, format) : String(value)
}

/** A number in the format that is asked for; without one with its thousands apart. */
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
    case 'date':
    case 'relative':
    case 'boolean':
      return formatAs(value, format)
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
  const fitting = ['w', 'd', 'h', 'm', 's', 'ms'].find((unit) => Math.abs(ms) >= (durationUnits[unit] ?? 1))
  const unit = to ?? fitting ?? 'ms'
  return `${formatNumber(Number((ms / (durationUnits[unit] ?? 1)).toFixed(decimals ?? 2)))} ${unit}`
}

function formatDate(value: string | number | boolean, { id, pattern, zone }: ValueFormat): string {
  const ms = typeof value === 'number' ? value : Date.parse(String(value))
  if (typeof value === 'boolean' || !Number.isFinite(new Date(ms).getTime())) return String(value)
  if (id === 'relative') return relativeTime(ms, Date.now())
  return pattern === undefined ? formatInstant(ms) : datePattern(ms, pattern, zone)
}

function truthOf(value: string | number | boolean): string {
  const text = String(value).toLowerCase()
  if (['true', 'yes', '1'].includes(text)) return 'true'
  return ['false', 'no', '0'].includes(text) ? 'false' : String(value)
}

function shortened(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax)}...` : text
}
