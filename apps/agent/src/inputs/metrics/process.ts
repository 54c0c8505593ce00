import { readdirSync, readFileSync } from 'node:fs'
import { type MetricSet, share } from './metric-set.ts'

const shownMax = 20
// The kernel counts in these whatever its own rate is (USER_HZ, proc(5)).
const ticksPerSecond = 100
const pageBytes = 4096

/** One process at one time: ticks of processor since it began, and resident pages. */
export interface ProcessTimes {
  readonly pid: number
  readonly ppid: number
  readonly name: string
  readonly state: string
  readonly ticks: number
  readonly started: number
  readonly residentPages: number
}

/** Reads /proc/PID/stat; a name may hold spaces and brackets. */
export function readStat(text: string): ProcessTimes | undefined {
  const open = text.indexOf('(')
  const close = text.lastIndexOf(')')
  if (open < 0 || close < open) return undefined
  const rest = text.slice(close + 2).split(' ')
  const at = (field: number): number => Number(rest[field - 3] ?? 0)
  return {
    pid: Number(text.slice(0, open)),
    ppid: at(4),
    name: text.slice(open + 1, close),
    state: rest[0] ?? '',
    ticks: at(14) + at(15),
    started: at(22),
    residentPages: at(24),
  }
}

// The kernel has these files at once: through the pool of threads each would cost ten times as much.
function readAll(): ProcessTimes[] {
  const found: ProcessTimes[] = []
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const times = readStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))
      if (times) found.push(times)
    } catch (thrown) {
      // It ended meanwhile.
      if (!/^(ENOENT|ESRCH)$/.test((thrown as NodeJS.ErrnoException).code ?? '')) throw thrown
    }
  }
  return found
}

/** The processes that used most processor or memory since the last sample, an event each: `process.*`, `system.process.*`. */
export const processMetrics: MetricSet = {
  dataset: 'system.process',
  start() {
    let before = new Map<string, number>()
    let at = process.hrtime.bigint()
    return async () => {
      const now = process.hrtime.bigint()
      const seconds = Number(now - at) / 1e9
      const processes = readAll()
      const keyOf = ({ pid, started }: ProcessTimes): string => `${pid} ${started}`
      const used = processes.map((one) => ({ one, ticks: one.ticks - (before.get(keyOf(one)) ?? one.ticks) }))
      before = new Map(processes.map((one) => [keyOf(one), one.ticks]))
      at = now
      const byProcessor = [...used].sort((a, b) => b.ticks - a.ticks).slice(0, shownMax)
      const byMemory = [...used].sort((a, b) => b.one.residentPages - a.one.residentPages).slice(0, shownMax)
      return [...new Set([...byProcessor, ...byMemory])].map(({ one, ticks }) => ({
        process: { pid: one.pid, name: one.name, parent: { pid: one.ppid } },
        system: {
          process: {
            state: one.state,
            cpu: { total: { pct: share(ticks / ticksPerSecond, seconds) } },
            memory: { rss: { bytes: one.residentPages * pageBytes } },
          },
        },
      }))
    }
  },
}
