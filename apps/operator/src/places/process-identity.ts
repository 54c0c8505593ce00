import { readFileSync } from 'node:fs'

/** A process that cannot be taken for a later one with the same number: its id and its start time in clock ticks since boot. */
export interface ProcessIdentity {
  readonly pid: number
  /** Field 22 of /proc/PID/stat; undefined where there is no /proc. */
  readonly startTicks?: number
}

/** The identity of a running process; undefined when there is none. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name stands in parentheses and may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie (state Z) has ended; only its parent has not looked yet.
    return fields[0] === 'Z' ? undefined : { pid, startTicks: Number(fields[19]) }
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT' || (thrown as NodeJS.ErrnoException).code === 'ESRCH') {
      return undefined
    }
    throw thrown
  }
}

/** The resident set of a process in bytes; 0 when it is gone or cannot be looked at. */
export function residentBytes(pid: number): number {
  try {
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kibibytes ?? 0) * 1024
  } catch (thrown) {
    if (['ENOENT', 'ESRCH', 'EACCES'].includes((thrown as NodeJS.ErrnoException).code ?? '')) return 0
    throw thrown
  }
}

/** Whether that very process still runs. */
export function isRunning(identity: ProcessIdentity): boolean {
  const current = identifyProcess(identity.pid)
  return current !== undefined && (identity.startTicks === undefined || current.startTicks === identity.startTicks)
}
