import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { identifyProcess, type ProcessIdentity } from '../places/process-identity.ts'

/** A process that has the container runtime's database open. */
export interface LockHolder extends ProcessIdentity {
  /** Its command line, shortened. */
  readonly command: string
  /** `stopped`, `sleeping`, …; the kernel's letter in words. */
  readonly state: string
  /** When it started, in whole seconds before now. */
  readonly ageSeconds: number
  /** In how many of the looks it had the lock for writing. */
  readonly heldLooks: number
}

/** What was seen while the lock was watched. */
export interface LockWatch {
  /** The database's path. */
  readonly database: string
  readonly looks: number
  /** The oldest first, by start time: numbers of processes begin anew and say nothing. */
  readonly holders: readonly LockHolder[]
}

const pauseMs = 100
const stateWords: Readonly<Record<string, string>> = {
  R: 'running',
  S: 'sleeping',
  D: 'waiting for the disk',
  T: 'stopped',
  t: 'traced',
}
const commandLengthMax = 120
/** The container monitor outlives what started it, and its end would end its container. */
const monitor = 'conmon'

/** The container runtime's database: in `graphroot` of storage.conf, else where podman keeps it. */
function runtimeDatabase(
  files: readonly string[] = ['/etc/containers/storage.conf', '/usr/share/containers/storage.conf'],
): string {
  const text = files.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8'))[0]
  return join(graphRootOf(text ?? '') ?? '/var/lib/containers/storage', 'db.sql')
}

/** `graphroot` of the text of a storage.conf; undefined when it says nothing. */
export function graphRootOf(text: string): string | undefined {
  return /^\s*graphroot\s*=\s*"([^"]+)"/m.exec(text)?.[1]
}

/** Looks at the lock again and again until `done` ends; who held it all the while is stuck, who held it once only worked. */
export async function watchLock(done: Promise<unknown>, database = runtimeDatabase()): Promise<LockWatch> {
  const heldLooks = new Map<number, number>()
  let looks = 0
  let isOver = false
  const over = done
    .then(
      () => undefined,
      () => undefined,
    )
    .then(() => {
      isOver = true
    })
  const inode = existsSync(database) ? statSync(database).ino : undefined
  while (!isOver) {
    looks += 1
    for (const pid of writersOf(readFileSync('/proc/locks', 'utf8'), inode))
      heldLooks.set(pid, (heldLooks.get(pid) ?? 0) + 1)
    await Promise.race([over, new Promise((resolve) => setTimeout(resolve, pauseMs))])
  }
  const pids = new Set([...heldLooks.keys(), ...openersOf(database)])
  const holders = [...pids]
    .map((pid) => describe(pid, heldLooks.get(pid) ?? 0))
    .filter((holder) => holder !== undefined)
    .sort((one, other) => (one.startTicks ?? 0) - (other.startTicks ?? 0))
  return { database, looks, holders }
}

/** The processes that hold a lock for writing on a file, from the text of /proc/locks (proc_locks(5)); those of other namespaces show as 0. */
export function writersOf(locks: string, inode: number | undefined): number[] {
  return locks.split('\n').flatMap((line) => {
    // A line with an arrow waits for the lock instead of holding it.
    const match = /^\d+: (?:POSIX|OFDLCK) +\S+ +WRITE (\d+) [0-9a-f]+:[0-9a-f]+:(\d+) /.exec(line)
    return match && Number(match[2]) === inode && Number(match[1]) > 0 ? [Number(match[1])] : []
  })
}

/** The processes that have the database, its journal or its index open. */
function openersOf(database: string): number[] {
  const wanted = new Set(['', '-wal', '-shm', '-journal'].map((ending) => database + ending))
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((entry) =>
      namesIn(`/proc/${entry}/fd`).some((descriptor) => wanted.has(linkOf(`/proc/${entry}/fd/${descriptor}`))),
    )
    .map(Number)
}

function describe(pid: number, heldLooks: number): LockHolder | undefined {
  const identity = identifyProcess(pid)
  const stat = textOf(`/proc/${pid}/stat`)
  if (!identity || stat === '' || pid === process.pid) return undefined
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
  if (name === monitor) return undefined
  const letter = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[0] ?? ''
  const command = textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() || name
  return {
    ...identity,
    command: command.slice(0, commandLengthMax),
    state: stateWords[letter] ?? letter,
    ageSeconds: Math.round(uptimeSeconds() - (identity.startTicks ?? 0) / ticksPerSecond),
    heldLooks,
  }
}

/** USER_HZ, the unit of times in /proc: 100 on every architecture Linux has today. */
const ticksPerSecond = 100

function uptimeSeconds(): number {
  return Number(textOf('/proc/uptime').split(' ')[0])
}

function namesIn(path: string): string[] {
  return attempt(() => readdirSync(path)) ?? []
}

function linkOf(path: string): string {
  return attempt(() => readlinkSync(path)) ?? ''
}

function textOf(path: string): string {
  return attempt(() => readFileSync(path, 'utf8')) ?? ''
}

// Processes end while they are looked at: they are simply not seen.
function attempt<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code) return undefined
    throw thrown
  }
}
