import { durationUnits } from '../../../../format/duration-units.ts'
import { text } from '../../../../kibana/saved-json.ts'
import type { ValueFormat } from '../../../../kibana/value-format.ts'
import { patternFormat } from '../../../../kibana/value-pattern.ts'

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
  const unitMs = durationUnits[from]
  if (unitMs !== undefined && to !== '') {
    return {
      id: 'duration',
      unitMs,
      to: durationUnits[to] === undefined ? undefined : to,
      decimals: digitsOf(decimals),
    }
  }
  return patternFormat(saved)
}

function digitsOf(decimals: string): number | undefined {
  return /^\d+$/.test(decimals) ? Number(decimals) : undefined
}
