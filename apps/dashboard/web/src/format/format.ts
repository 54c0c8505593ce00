import { formatInstant } from '../time/time-range.ts'

// Made when the first number is written: each takes the browser milliseconds, which nobody shall wait for before a page has numbers.
const whole = once(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 }))
const fraction = once(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 }))
const compact = once(() => new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }))

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** A number with thousands separated; fractions to three digits. */
export function formatNumber(value: number): string {
  return Number.isInteger(value) ? whole().format(value) : fraction().format(value)
}

/** A number in few characters: `1.2M`. */
export function formatCompact(value: number): string {
  return compact().format(value)
}

/** A size in binary units: `1.5 MB`. */
export function formatBytes(value: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']
  const power = value === 0 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(Math.abs(value)) / Math.log(1024)))
  const scaled = value / 1024 ** Math.max(0, power)
  return `${fraction().format(Number(scaled.toFixed(1)))} ${units[Math.max(0, power)] ?? 'B'}`
}

/** Any value of a document as one line of text. */
export function formatValue(value: unknown, type?: string): string {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value)) return value.map((item) => formatValue(item, type)).join(', ')
  if (type === 'date' && (typeof value === 'string' || typeof value === 'number')) {
    return formatInstant(new Date(value).getTime()) || String(value)
  }
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value)
}
