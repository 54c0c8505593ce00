import { setTimeout as delay } from 'node:timers/promises'
import { isRunning, type ProcessIdentity } from '../places/process-identity.ts'

/** How long a process gets to end after it was asked to, in milliseconds. */
export const terminateMs = 3_000
const pollMs = 100

/** Ends a process: asked first, killed after three seconds. One that is gone is well. */
export async function endProcess(identity: ProcessIdentity): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (!isRunning(identity)) return
    send(identity.pid, signal)
    const end = performance.now() + terminateMs
    while (isRunning(identity) && performance.now() < end) await delay(pollMs)
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (thrown) {
    // It ended by itself since it was looked at.
    if ((thrown as NodeJS.ErrnoException).code !== 'ESRCH') throw thrown
  }
}
