import { kernelLines, type MetricSet, share } from './metric-set.ts'

/** Reads lines of /proc/meminfo into bytes by name. */
export function readMemory(lines: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    lines.flatMap((line) => {
      const [, name, kibibytes] = /^(\S+):\s+(\d+)(?: kB)?$/.exec(line) ?? []
      return name === undefined ? [] : [[name, Number(kibibytes) * 1024] as const]
    }),
  )
}

/** Memory and swap in bytes and as shares: `system.memory.*`. `actual` counts what could be given back as free. */
export const memoryMetrics: MetricSet = {
  dataset: 'system.memory',
  start() {
    return async () => {
      const memory = readMemory(await kernelLines('/proc/meminfo'))
      const of = (name: string): number => memory.get(name) ?? 0
      const total = of('MemTotal')
      const use = (free: number, whole: number) => ({ bytes: whole - free, pct: share(whole - free, whole) })
      const swap = { total: of('SwapTotal'), free: of('SwapFree'), used: use(of('SwapFree'), of('SwapTotal')) }
      const actual = { free: of('MemAvailable'), used: use(of('MemAvailable'), total) }
      return [{ system: { memory: { total, free: of('MemFree'), used: use(of('MemFree'), total), actual, swap } } }]
    }
  },
}
