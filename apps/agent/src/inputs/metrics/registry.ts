import { cpuMetrics } from './cpu.ts'
import { filesystemMetrics } from './filesystem.ts'
import { loadMetrics } from './load.ts'
import { memoryMetrics } from './memory.ts'
import type { MetricSet } from './metric-set.ts'
import { networkMetrics } from './network.ts'
import { processMetrics } from './process.ts'

/** Every group of measurements of the agent. */
export const metricSets: readonly MetricSet[] = [
  cpuMetrics,
  loadMetrics,
  memoryMetrics,
  filesystemMetrics,
  networkMetrics,
  processMetrics,
]
