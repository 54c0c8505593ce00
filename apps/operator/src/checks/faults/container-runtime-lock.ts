import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { containerName, parts, startOrder } from '@logstack/contracts'
import { runCommand } from '@logstack/process'
import { defineFault, type FoundFault } from '../../doctor/define-fault.ts'
import { type LockHolder, type LockWatch, watchLock } from '../../doctor/lock-holders.ts'
import { Observations } from '../../doctor/observations.ts'
import { endProcess, terminateMs } from '../../mending/end-process.ts'
import { identifyProcess, isRunning, type ProcessIdentity } from '../../places/process-identity.ts'
import type { Stack } from '../../stack.ts'
import type { StepProgress } from '../../steps/define-step.ts'
import { unproven } from '../../telling/unproven.ts'

interface Found {
  /** What holds the lock: to be ended first. */
  readonly root: LockHolder
  /** Commands of podman that wait for it: ended only if they still hang afterwards. */
  readonly waiting: readonly LockHolder[]
}

/** A process that only works with the database lets it go again and again; this share of looks is more than work. */
const heldShareMin = 0.9
const limits = { pollMs: 100, restartMs: 600_000, cascadedMax: 5 } as const
/** Seconds to wait after each group of parts: interface section 3. */
const restartWaitsSeconds = [10, 15, 5] as const
const cascaded = /^(\S*\/)?podman( --\S+)* (exec|healthcheck|ps|info)( |$)/
const shownWaitingMax = 4

/** podman answers nothing any more, as a process keeps its database locked; systemd shows all units active. */
export const containerRuntimeLock = defineFault<Found>({
  name: 'container-runtime-lock',
  title: 'container runtime answers',
  runtimes: ['podman'],
  limitMs: 9_000,
  async diagnose({ look }) {
    const asked = look.listing()
    const watch = await watchLock(asked)
    const listing = await asked
    if (listing.state === 'failed') return { status: 'unknown', why: listing.message }
    if (listing.state === 'answered') return { status: 'healthy', detail: 'podman lists its containers within 5 s' }
    return diagnoseLock(watch)
  },
  plan: (_context, { root }) => [
    `kill ${root.pid}`,
    `sleep 3; kill -KILL ${root.pid}   # if it is still there`,
    'timeout 5 podman ps',
    '# only what still hangs of podman exec, healthcheck, ps and info: kill; never conmon',
    '# only if containers have stopped:',
    ...restartCommands(),
  ],
  async repair({ stack }, { root, waiting }, progress) {
    await endProcess(root)
    await endWhatStillHangs(stack, waiting)
    if (!(await allUp(stack))) await restartWithWaits(progress)
  },
  async prove({ stack }) {
    const listing = await new Observations(stack).listing()
    if (listing.state !== 'answered') throw unproven(`podman still does not answer: ${listing.message}`)
    const down = listing.parts.filter(({ state }) => state !== 'running')
    if (down.length > 0) throw unproven(`${down.map(({ name }) => name).join(', ')} not up`, './logstack status')
    return 'podman answers within 5 s, five containers are up'
  },
})

/** The fault of a hung listing from what was seen of the lock; `unknown` when nobody has the database open. */
export function diagnoseLock({ database, holders, looks }: LockWatch) {
  // Where the kernel tells who holds the lock that one counts, else the oldest of those that have it open.
  const holder = holders.find(({ heldLooks }) => heldLooks >= looks * heldShareMin)
  const root = holder ?? holders[0]
  if (!root) return { status: 'unknown' as const, why: `podman does not answer, and nobody has ${database} open` }
  const waiting = holders.filter((one) => one !== root && cascaded.test(one.command))
  const how = holder
    ? `held the lock in ${root.heldLooks} of ${looks} looks over 5 s (/proc/locks)`
    : 'is the oldest process that has it open'
  return {
    status: 'fault',
    problem: `podman does not answer: process ${root.pid} keeps ${database} locked`,
    evidence: [
      'no answer within 5 s: podman ps',
      `${describe(root)} ${how}`,
      ...waiting.slice(0, shownWaitingMax).map((one) => `waits for it: ${describe(one)}`),
      ...(waiting.length > shownWaitingMax ? [`and ${waiting.length - shownWaitingMax} more wait for it`] : []),
    ],
    meaning: 'containers run on, but nothing can be started, stopped or looked at, and health checks stand still',
    found: { root, waiting },
  } satisfies FoundFault<Found>
}

function describe({ pid, command, state, ageSeconds }: LockHolder): string {
  const startedAt = new Date(Date.now() - ageSeconds * 1000).toISOString().slice(0, 19)
  return `process ${pid}, started ${startedAt}Z, ${state}: ${command}`
}

// What waited may be the next to hold the lock for good: each is given a listing's time to finish by itself.
async function endWhatStillHangs(stack: Stack, waiting: readonly ProcessIdentity[]): Promise<void> {
  for (let attempt = 0; attempt < limits.cascadedMax; attempt += 1) {
    const asked = new Observations(stack).listing()
    const watch = await watchLock(asked)
    if ((await asked).state !== 'hung') break
    const diagnosis = diagnoseLock(watch)
    if (diagnosis.status === 'fault') await endProcess(diagnosis.found.root)
  }
  for (const one of waiting) if (isRunning(one) && (await isStuck(one))) await endProcess(one)
}

/** Whether a process that waited before does nothing while the lock is free: its time on the processor stands still. */
async function isStuck(identity: ProcessIdentity): Promise<boolean> {
  const before = processorTicks(identity.pid)
  const end = performance.now() + terminateMs
  while (performance.now() < end) {
    await delay(limits.pollMs)
    if (!isRunning(identity) || hasChildren(identity.pid)) return false
  }
  return processorTicks(identity.pid) === before
}

function processorTicks(pid: number): number {
  if (!identifyProcess(pid)) return 0
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

// A `podman exec` whose command works has the exec session's monitor below it.
function hasChildren(pid: number): boolean {
  if (!identifyProcess(pid)) return false
  return readdirSync(`/proc/${pid}/task`).some(
    (task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim() !== '',
  )
}

async function allUp(stack: Stack): Promise<boolean> {
  const listing = await new Observations(stack).listing()
  return listing.state === 'answered' && listing.parts.every(({ state }) => state === 'running')
}

function restartCommands(): string[] {
  return startOrder.flatMap((group, at) => [
    `systemctl restart ${group.map((part) => `${containerName(part)}.service`).join(' ')}`,
    `sleep ${restartWaitsSeconds[at]}`,
  ])
}

async function restartWithWaits(progress: StepProgress): Promise<void> {
  const units = parts.map((part) => `${containerName(part)}.service`)
  await runCommand(['systemctl', 'reset-failed', ...units], { timeoutMs: limits.restartMs, accept: [1] })
  for (const command of restartCommands()) {
    progress.waiting(command)
    await runCommand(command.split(' '), { timeoutMs: limits.restartMs })
  }
}
