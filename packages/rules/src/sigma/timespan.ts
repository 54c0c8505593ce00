import { SigmaProblem } from './detection.ts'

const unitsMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }
const spanMsMax = 90 * 86_400_000

/** A span of time as Sigma writes it, `5m`, in milliseconds. Throws `SigmaProblem`. */
export function readTimespan(value: unknown, path: readonly PropertyKey[]): number {
  const parts = /^(\d{1,6})\s*([smhdw])$/u.exec(String(value))
  const span = Number(parts?.[1]) * (unitsMs[parts?.[2] ?? ''] ?? Number.NaN)
  if (!(span > 0)) throw new SigmaProblem(path, `[${value}] is no span of time such as 5m`)
  if (span > spanMsMax) throw new SigmaProblem(path, 'longer than 90 days')
  return span
}
