import { text } from '../../../../kibana/saved-json.ts'
import type { ValueFormat } from '../table.ts'
import { patternFormat } from '../value-pattern.ts'

const units: Readonly<Record<string, number>> = {
  ps: 1e-9,
  ns: 1e-6,
  us: 0.001,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  months: 2_592_000_000,
  years: 31_536_000_000,
}

/** How a series shows its numbers: `number`, `bytes`, `percent`, a pattern like `0.0a`, or a duration `from,to,decimals`. */
export function seriesFormat(formatter: unknown, template: unknown): ValueFormat | undefined {
  const saved = (text(formatter) ?? '').replaceAll("'", '')
  const around = text(template)?.trim()
  const shown = around === '' || around === '{{value}}' ? undefined : around
  const format = formatOf(saved)
  if (format === undefined && shown === undefined) return undefined
  return { ...(format ?? { id: 'number' }), ...(shown === undefined ? {} : { template: shown }) }
}

function formatOf(saved: string): ValueFormat | undefined {
  if (saved === 'bytes' || saved === 'percent') return { id: saved }
  const [from = '', to = '', decimals = ''] = saved.split(',')
  const unitMs = units[from]
  if (unitMs !== undefined && to !== '') {
    return { id: 'duration', unitMs, to: units[to] === undefined ? undefined : to, decimals: digitsOf(decimals) }
  }
  return patternFormat(saved)
}

function digitsOf(decimals: string): number | undefined {
  return /^\d+$/.test(decimals) ? Number(decimals) : undefined
}

/** Milliseconds of a unit of durations. */
export function unitMsOf(unit: string): number {
  return units[unit] ?? 1
}
