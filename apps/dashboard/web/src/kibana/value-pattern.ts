import type { ValueFormat } from './value-format.ts'

/** A pattern of numbers as Kibana writes them, such as `0,0.[000]`, `0.0%`, `0.[0]b` or `0.00a`; undefined for what is none. */
export function patternFormat(pattern: string): ValueFormat | undefined {
  if (!/^[$ ]*[0#,.[\]]+[a-z% ]*$/i.test(pattern)) return undefined
  const fraction = /\.([0[\]]*)/.exec(pattern)?.[1] ?? ''
  const id = pattern.includes('%')
    ? 'percent'
    : /bitd?/.test(pattern)
      ? 'bits'
      : pattern.includes('b')
        ? 'bytes'
        : 'number'
  return {
    id,
    decimals: fraction.replaceAll(/[^0]/g, '').length,
    ...(fraction.includes('[') ? { trimmed: true } : {}),
    ...(/a$/.test(pattern) ? { compact: true } : {}),
  }
}

/** Units of durations by the names that formats of fields and of Lens use. */
export const unitNames: Readonly<Record<string, { readonly ms: number; readonly short: string }>> = {
  picoseconds: { ms: 1e-9, short: 'ps' },
  nanoseconds: { ms: 1e-6, short: 'ns' },
  microseconds: { ms: 0.001, short: 'us' },
  milliseconds: { ms: 1, short: 'ms' },
  seconds: { ms: 1_000, short: 's' },
  minutes: { ms: 60_000, short: 'm' },
  hours: { ms: 3_600_000, short: 'h' },
  days: { ms: 86_400_000, short: 'd' },
  weeks: { ms: 604_800_000, short: 'w' },
  months: { ms: 2_592_000_000, short: 'months' },
  years: { ms: 31_536_000_000, short: 'years' },
}
