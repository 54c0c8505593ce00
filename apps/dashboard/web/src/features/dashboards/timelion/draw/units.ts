import { formatCompact, formatNumber } from '../../../../format/format.ts'
import { formatMetric } from '../../../../format/format-as.ts'
import { TimelionError } from '../language/tree.ts'

/** How an axis shows its numbers: what its expression says of units and digits after the point. */
export interface UnitsLook {
  readonly units?: string | undefined
  readonly decimals?: number | undefined
}

type Format = (value: number) => string

const kinds = ['bits', 'bits/s', 'bytes', 'bytes/s', 'currency', 'percent', 'custom']

/** Refuses units that are none: `bits`, `bits/s`, `bytes`, `bytes/s`, `currency:EUR`, `percent` and `custom:prefix:suffix` are. */
export function checkUnits(units: string): void {
  const [kind = '', first] = units.split(':')
  if (!kinds.includes(kind))
    throw new TimelionError(
      `“${units}” are no units: bits, bits/s, bytes, bytes/s, currency:EUR, percent and custom:prefix:suffix are`,
    )
  if (kind === 'currency' && first && !/^[A-Za-z]{3}$/.test(first))
    throw new TimelionError(`“${first}” is no currency: its code has three letters`)
}

/** Writes the ticks of an axis. */
export function tickFormat({ units, decimals }: UnitsLook): Format {
  return unitFormat(units, decimals) ?? (decimals === undefined ? formatCompact : plain(decimals))
}

/** Writes values in a tooltip. */
export function valueFormat({ units, decimals }: UnitsLook): Format {
  return unitFormat(units, decimals) ?? plain(decimals)
}

function plain(decimals: number | undefined): Format {
  return (value) =>
    formatMetric(value, decimals === undefined ? undefined : { id: 'number', decimals: digits(decimals) })
}

function unitFormat(units: string | undefined, decimals: number | undefined): Format | undefined {
  const [kind, prefix = '', suffix = ''] = units?.split(':') ?? []
  switch (kind) {
    case 'bits':
      return bits
    case 'bits/s':
      return (value) => `${bits(value)}/s`
    case 'bytes':
      return (value) => formatMetric(value, { id: 'bytes' })
    case 'bytes/s':
      return (value) => formatMetric(value, { id: 'bytes', template: '{{value}}/s' })
    case 'percent':
      return (value) => formatMetric(value, { id: 'percent', decimals: digits(decimals ?? 0) })
    case 'currency': {
      const written = new Intl.NumberFormat('en-US', { style: 'currency', currency: prefix || 'USD' })
      return (value) => written.format(value)
    }
    case 'custom':
      return (value) => `${prefix}${plain(decimals)(value)}${suffix}`
    default:
      return undefined
  }
}

/** As many digits as can be written. */
function digits(decimals: number): number {
  return Math.max(0, Math.min(20, Math.trunc(decimals)))
}

/** Bits go by thousands. */
function bits(value: number): string {
  const names = ['b', 'kb', 'mb', 'gb', 'tb', 'pb']
  const power = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)) / 3)
  const at = Math.max(0, Math.min(names.length - 1, power))
  return `${formatNumber(Number((value / 1000 ** at).toFixed(2)))}${names[at]}`
}
