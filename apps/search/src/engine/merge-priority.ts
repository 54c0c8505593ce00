import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/** The engine's own name of the threads that merge parts, two of them. */
const mergeThread = 'MergeMutate'
/** A tenth of the share of a thread that somebody waits for; merges that nobody competes with run as fast as ever. */
const niceness = 10
const tasks = '/proc/self/task'

/**
 * Lets inserts and searches go before merges, which nobody waits for: what was taken in fast is merged when there is time. The engine has a setting for it that has no
 * effect in this process, and makes the threads with its first table: to be called until then, for which later calls cost nothing.
 */
export function mergePriority(): () => void {
  let isLowered = false
  return () => {
    if (isLowered) return
    const threads = readdirSync(tasks).filter((thread) => nameOf(thread) === mergeThread)
    for (const thread of threads) setPriority(Number(thread), niceness)
    isLowered = threads.length > 0
  }
}

/** The name of a thread; empty for one that has ended meanwhile. */
function nameOf(thread: string): string {
  try {
    return readFileSync(`${tasks}/${thread}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}
