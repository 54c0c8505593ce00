import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { runCommand } from '@logstack/process'
import { hostCache } from './host-base.ts'

/** Where this machine keeps control groups, in either of their versions. */
export const cgroupRoots: readonly string[] = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified', '/sys/fs/cgroup/systemd']

const endLimitMs = 30_000
const removeLimitMs = 30_000

/** The folders of a host's control group. */
export function groupsOf(name: string): string[] {
  return cgroupRoots.map((folder) => join(folder, name)).filter((folder) => existsSync(join(folder, 'cgroup.procs')))
}

/**
 * Ends every process of a host, and returns when all are gone. Not by the process that holds the container: where that was killed (a test run
 * that ran out of time), the host's own process 1 goes on.
 */
export async function endGroup(name: string): Promise<void> {
  const end = Date.now() + endLimitMs
  for (let left = processesOf(name); left.length > 0; left = processesOf(name)) {
    if (Date.now() > end) throw new Error(`processes of ${name} do not end: ${left.join(', ')}`)
    for (const pid of left) kill(pid)
    await delay(50)
  }
}

/** Ends hosts whose test run is gone, and deletes their file systems: a run that was killed could not. Answers their names. */
export async function removeLeftHosts(): Promise<string[]> {
  const left = existsSync(hostCache) ? readdirSync(hostCache).filter(isLeft) : []
  for (const name of left) {
    await endGroup(name)
    if (groupsOf(name).length > 0)
      await runCommand(['find', ...groupsOf(name), '-depth', '-type', 'd', '-exec', 'rmdir', '{}', '+'], {
        timeoutMs: removeLimitMs,
        accept: [1],
      })
    for (const path of [join(hostCache, name), join(hostCache, `${name}.console`)]) {
      await rm(path, { recursive: true, force: true })
    }
  }
  return left
}

// `host-NAME-PID`, with the process that booted it.
function isLeft(name: string): boolean {
  const pid = /^host-.*-(\d+)$/.exec(name)?.[1]
  return pid !== undefined && !existsSync(`/proc/${pid}`)
}

function processesOf(name: string): number[] {
  const pids = groupsOf(name).flatMap(pidsUnder)
  // What has ended and is not fetched by its parent yet is listed on; a process that is not seen from here is 0.
  return [...new Set(pids)].filter((pid) => pid > 0 && !hasEnded(pid))
}

function pidsUnder(folder: string): number[] {
  const inside = unlessGone(() => readdirSync(folder, { withFileTypes: true }), []).filter((entry) =>
    entry.isDirectory(),
  )
  return [...pidsIn(folder), ...inside.flatMap(({ name }) => pidsUnder(join(folder, name)))]
}

function pidsIn(folder: string): number[] {
  return unlessGone(
    () => readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number),
    [],
  )
}

function hasEnded(pid: number): boolean {
  return unlessGone(() => /^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8')), true)
}

function kill(pid: number): void {
  unlessGone(() => process.kill(pid, 'SIGKILL'), true)
}

/** What a look at a process or a group answers; `gone` when it ended meanwhile. */
function unlessGone<T>(look: () => T, gone: T): T {
  try {
    return look()
  } catch (thrown) {
    if (['ENOENT', 'ESRCH', 'ENODEV', 'EOPNOTSUPP'].includes((thrown as NodeJS.ErrnoException).code ?? '')) return gone
    throw thrown
  }
}
