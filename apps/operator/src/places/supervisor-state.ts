import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Paths } from './paths.ts'
import { isRunning, type ProcessIdentity } from './process-identity.ts'
import { stopOrder } from './process-names.ts'
import { writeFileAtomically } from './write-file.ts'

/** What a supervisor leaves on disk about itself, so that nothing it started is ever lost, even when it is killed. */
export interface SupervisorState {
  readonly supervisor: ProcessIdentity
  readonly socket: string
  readonly secretsRoot: string | undefined
  /** In the order in which they were started. */
  readonly children: readonly (ProcessIdentity & { readonly name: string })[]
}

// Short: what is acknowledged is on disk, and whoever starts the stack again is waiting.
const stopping = { graceMs: 5_000, pollMs: 50 } as const

function stateFileOf(paths: Pick<Paths, 'runDir'>): string {
  return join(paths.runDir, 'supervisor.json')
}

/** Writes the state. */
export function writeSupervisorState(paths: Pick<Paths, 'runDir'>, state: SupervisorState): void {
  writeFileAtomically(stateFileOf(paths), JSON.stringify(state), 0o600)
}

/** Removes the state; the last act of a supervisor. */
export function removeSupervisorState(paths: Pick<Paths, 'runDir'>): void {
  rmSync(stateFileOf(paths), { force: true })
}

/** The state left on disk, whether or not its supervisor still runs; undefined when there is none. */
export function readSupervisorState(paths: Pick<Paths, 'runDir'>): SupervisorState | undefined {
  const file = stateFileOf(paths)
  if (!existsSync(file)) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as SupervisorState
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined
    throw thrown
  }
}

/** The state of a supervisor that runs now. */
export function runningSupervisor(paths: Pick<Paths, 'runDir'>): SupervisorState | undefined {
  const state = readSupervisorState(paths)
  return state && isRunning(state.supervisor) ? state : undefined
}

/** Ends what a killed supervisor left behind, in the order in which parts stop, and removes its secrets; returns the names of what was ended. */
export async function reapOrphans(paths: Pick<Paths, 'runDir'>): Promise<string[]> {
  const state = readSupervisorState(paths)
  if (!state || isRunning(state.supervisor)) return []
  const ended: string[] = []
  for (const group of stopOrder) {
    const left = state.children.filter((child) => group.includes(child.name) && isRunning(child))
    await Promise.all(left.map(end))
    ended.push(...left.map((child) => child.name))
  }
  if (state.secretsRoot) rmSync(state.secretsRoot, { recursive: true, force: true })
  rmSync(state.socket, { force: true })
  removeSupervisorState(paths)
  return ended
}

async function end(identity: ProcessIdentity): Promise<void> {
  process.kill(identity.pid, 'SIGTERM')
  const deadline = performance.now() + stopping.graceMs
  while (isRunning(identity)) {
    await sleep(stopping.pollMs)
    if (performance.now() > deadline && isRunning(identity)) process.kill(identity.pid, 'SIGKILL')
  }
}
