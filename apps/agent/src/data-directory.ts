import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError, agentsErrors, messageOf, systemSentence } from '@logstack/errors'
import { z } from 'zod'
import { isDiskFull, writeDurably } from './durable-file.ts'

/** Where each thing of an agent lives. Everything is readable by its owner only. */
export function dataPaths(folder: string) {
  return {
    folder,
    identity: join(folder, 'identity.json'),
    policy: join(folder, 'policy.json'),
    status: join(folder, 'status.json'),
    actions: join(folder, 'actions.json'),
    lock: join(folder, 'agent.lock'),
    rejected: join(folder, 'rejected.ndjson'),
    spool: join(folder, 'spool'),
    state: join(folder, 'state'),
  }
}

export type DataPaths = ReturnType<typeof dataPaths>

const lockSchema = z.object({ pid: z.number(), started: z.string() })

/** Makes the data directory, readable by its owner only, where it is not there; `agent_data_unwritable` where it cannot be made. */
export function makeDataDirectory(paths: DataPaths): void {
  naming(paths, () => makeFolder(paths.folder))
}

/** Makes the data directory and tries it; `agent_data_unwritable` where nothing can be kept in it. */
export function requireWritable(paths: DataPaths): void {
  makeDataDirectory(paths)
  const probe = join(paths.folder, `.write-probe-${process.pid}`)
  // To root, a folder of a file system that takes no files looks like every other one until it is tried.
  naming(paths, () => {
    writeFileSync(probe, 'x')
    rmSync(probe)
  })
}

// One level at a time: node's own recursion never ends below a folder like /proc, where nothing can be made.
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  // The root is its own parent, and may be a drive that is not there.
  if (dirname(folder) !== folder) makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

function naming({ folder }: DataPaths, work: () => void): void {
  try {
    work()
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === undefined) throw thrown
    throw new AppError(
      agentsErrors.agent_data_unwritable,
      `the data directory ${folder} cannot be written: ${systemSentence(thrown) ?? messageOf(thrown)}`,
      { cause: thrown, fix: 'run this as root, or choose a folder that this user may write with --data DIR' },
    )
  }
}

/**
 * Takes the data directory for this process; `agent_already_running` when another agent has it. A lock whose process is gone counts for nothing,
 * nor does one that is not whole.
 */
export function lockDataDirectory(paths: DataPaths): { release(): void } {
  makeDataDirectory(paths)
  const pid = runningAgent(paths)
  if (pid !== undefined) {
    throw new AppError(agentsErrors.agent_already_running, `agent ${pid} uses ${paths.folder} already`, {
      fix: `stop the process ${pid} first`,
    })
  }
  const own = { pid: process.pid, started: startTimeOf(process.pid) ?? '' }
  writeLock(paths.lock, JSON.stringify(own))
  return { release: () => rmSync(paths.lock, { force: true }) }
}

function writeLock(path: string, text: string): void {
  try {
    // In one step: an agent killed here would else leave half a lock behind.
    writeDurably(path, text)
  } catch (thrown) {
    if (!isDiskFull(thrown)) throw thrown
    // A link takes no room on a full disk: where it leads, which is nowhere, stands in its own entry.
    rmSync(path, { force: true })
    symlinkSync(text, path)
  }
}

/** The process id of the agent that runs in this data directory; undefined when none does. */
export function runningAgent(paths: DataPaths): number | undefined {
  const lock = readLock(paths.lock)
  if (!lock || lock.pid === process.pid) return undefined
  return startTimeOf(lock.pid) === lock.started ? lock.pid : undefined
}

/** Undefined when there is no whole lock: a running agent's is always whole, so what is torn (by a lost disk, say) is nobody's. */
function readLock(path: string): z.infer<typeof lockSchema> | undefined {
  try {
    const isLink = lstatSync(path).isSymbolicLink()
    return lockSchema.safeParse(JSON.parse(isLink ? readlinkSync(path) : readFileSync(path, 'utf8'))).data
  } catch (thrown) {
    if (thrown instanceof SyntaxError || (thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new AppError(agentsErrors.agent_data_invalid, `cannot read ${path}`, {
      cause: thrown,
      fix: `make ${path} readable for the user that runs the agent`,
    })
  }
}

/** When a process was started, in the kernel's own ticks: tells it from a later process with the same id. Undefined when there is none. */
function startTimeOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ESRCH') return undefined
    throw thrown
  }
}
