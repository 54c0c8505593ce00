import { availableParallelism } from 'node:os'
import { kernelLines, type MetricSet, share } from './metric-set.ts'

/** Jiffies since boot, by what they were spent on. */
export interface CpuTimes {
  readonly user: number
  readonly system: number
  readonly idle: number
  readonly iowait: number
  readonly total: number
}

/** Reads the `cpu` line of /proc/stat (proc(5)). */
export function readCpuTimes(line: string): CpuTimes {
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = line
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number)
  const total = user + nice + system + idle + iowait + irq + softirq + steal
  return { user: user + nice, system: system + irq + softirq, idle, iowait, total }
}

/** Shares of all cores' time between two readings, 0 to 1. */
export function cpuShares(before: CpuTimes, after: CpuTimes) {
  const whole = after.total - before.total
  const of = (key: keyof CpuTimes): number => share(after[key] - before[key], whole)
  const busy = whole > 0 ? share(whole - (after.idle - before.idle) - (after.iowait - before.iowait), whole) : 0
  return { busy, user: of('user'), system: of('system'), idle: of('idle'), iowait: of('iowait') }
}

/** Processor use since the sample before: `system.cpu.*.norm.pct`, `host.cpu.usage`. The first sample is since boot. */
export const cpuMetrics: MetricSet = {
  dataset: 'system.cpu',
  start() {
    let before: CpuTimes = { user: 0, system: 0, idle: 0, iowait: 0, total: 0 }
    return async () => {
      const [line = ''] = await kernelLines('/proc/stat')
      const after = readCpuTimes(line)
      const shares = cpuShares(before, after)
      before = after
      const pct = (value: number) => ({ norm: { pct: value } })
      return [
        {
          host: { cpu: { usage: shares.busy } },
          system: {
            cpu: {
              cores: availableParallelism(),
              total: pct(shares.busy),
              user: pct(shares.user),
              system: pct(shares.system),
              iowait: pct(shares.iowait),
              idle: pct(shares.idle),
            },
          },
        },
      ]
    }
  },
}
