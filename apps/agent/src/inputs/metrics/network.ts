import { kernelLines, type MetricSet } from './metric-set.ts'

/** Counters of one interface since boot. */
export interface InterfaceCounters {
  readonly name: string
  readonly in: { readonly bytes: number; readonly packets: number; readonly errors: number; readonly dropped: number }
  readonly out: { readonly bytes: number; readonly packets: number; readonly errors: number; readonly dropped: number }
}

/** Reads lines of /proc/net/dev (proc(5)). */
export function readInterfaces(lines: readonly string[]): InterfaceCounters[] {
  return lines.flatMap((line) => {
    const [, name, numbers] = /^\s*([^\s:]+):\s*(\d[\d\s]*)$/.exec(line) ?? []
    if (name === undefined || numbers === undefined) return []
    const values = numbers.trim().split(/\s+/).map(Number)
    const side = (at: number) => {
      const [bytes = 0, packets = 0, errors = 0, dropped = 0] = values.slice(at, at + 4)
      return { bytes, packets, errors, dropped }
    }
    return [{ name, in: side(0), out: side(8) }]
  })
}

/** Bytes, packets, errors and drops of each interface since boot: `system.network.*`. */
export const networkMetrics: MetricSet = {
  dataset: 'system.network',
  start() {
    return async () => {
      const interfaces = readInterfaces(await kernelLines('/proc/net/dev'))
      return interfaces.map((one) => ({ system: { network: { ...one } } }))
    }
  },
}
