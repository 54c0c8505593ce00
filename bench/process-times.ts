import { readFileSync } from 'node:fs'

// What the kernel says of processes and threads, for benchmarks.

/** Of the fields of `stat` behind the name: clock ticks in user and system mode, a hundredth of a second each; when it began. */
const [userAt, systemAt, startAt, tickMs] = [11, 12, 19, 10]

/** A process or a thread and what it has taken of processors. */
export interface Times {
  readonly name: string
  readonly ms: number
  /** Tells it from one before it that had its number. */
  readonly began: string
}

/** What a process (`/proc/PID`) or a thread (`/proc/PID/task/TID`) has taken by now; undefined when it has ended. */
export function timesOf(path: string): Times | undefined {
  let text: string
  try {
    text = readFileSync(`${path}/stat`, 'utf8')
  } catch {
    return undefined
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return {
    name: text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')),
    ms: (Number(fields[userAt]) + Number(fields[systemAt])) * tickMs,
    began: fields[startAt] ?? '',
  }
}

/** Milliseconds of processors that a process has taken, its threads included. Throws when it has ended. */
export function processorMs(pid: number): number {
  const times = timesOf(`/proc/${pid}`)
  if (!times) throw new Error(`process ${pid} has ended`)
  return times.ms
}

/** Resident memory in MB; 0 of a process that ends. */
export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}
