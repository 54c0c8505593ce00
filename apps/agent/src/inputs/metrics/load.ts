import { availableParallelism, loadavg, uptime } from 'node:os'
import type { MetricSet } from './metric-set.ts'

/** Load averages and time since boot: `system.load.*`, `host.uptime` in seconds. */
export const loadMetrics: MetricSet = {
  dataset: 'system.load',
  start() {
    return async () => {
      const [one = 0, five = 0, fifteen = 0] = loadavg()
      const cores = availableParallelism()
      const load = { 1: one, 5: five, 15: fifteen, norm: { 1: one / cores }, cores }
      return [{ host: { uptime: Math.round(uptime()) }, system: { load } }]
    }
  },
}
