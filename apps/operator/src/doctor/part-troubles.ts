import { readFileSync } from 'node:fs'
import { containerName, type PartName, parts } from '@logstack/contracts'
import type { PartStatus } from '../runtimes/runtime.ts'
import { searchIsRemote } from '../stack.ts'
import type { DoctorContext } from './define-fault.ts'
import type { UnitState } from './unit-states.ts'

/** A part that does not do its work, as seen without asking it: it starts again and again, or is not up. */
export interface PartTrouble {
  readonly part: PartName
  readonly kind: 'loop' | 'down'
  /** What is seen, as the end of a sentence about the part. */
  readonly words: string
  /** What brings it up again, before everything that does not run is started; absent where starting is all. */
  readonly needs?: 'unpause' | 'restart'
  /** Files by which an administrator changed its unit: a reason to look for first. */
  readonly edits?: readonly string[]
}

/** Restarts by systemd since someone started the part, and how young the last one must be, to call it a loop. */
const loop = { restartsMin: 2, youngSeconds: 60 } as const

/** The parts in trouble; `undefined` when neither the runtime nor systemd tells. A part that starts for the first time is none. */
export async function partTroubles({ look, stack }: DoctorContext): Promise<PartTrouble[] | undefined> {
  const [listing, units] = await Promise.all([
    look.listing(),
    stack.runtime.kind === 'podman' ? look.units() : new Map<string, UnitState>(),
  ])
  const listed = listing.state === 'answered' ? listing.parts : undefined
  if (stack.runtime.kind === 'process') return listed?.flatMap(troubleOfProcess)
  if (units.size === 0) return undefined
  const now = uptimeSeconds()
  return [...units.values()].flatMap((unit) => {
    const part = partOf(unit.name)
    if (part === undefined) return []
    const status = listed?.find((each) => each.part === part)
    // A cluster in search's place has no unit here: search's own is masked.
    if (part === 'search' && searchIsRemote(stack)) return status === undefined ? [] : troubleOfProcess(status)
    const trouble = troubleOfUnit(unit, status, now)
    return trouble ? [{ part, ...trouble, ...(unit.edits.length > 0 ? { edits: unit.edits } : {}) }] : []
  })
}

function partOf(unit: string): PartName | undefined {
  return parts.find((part) => unit === `${containerName(part)}.service`)
}

/** What is wrong with a part's unit; `nowSeconds` is the time since boot. The listing's part is absent where podman does not answer. */
export function troubleOfUnit(
  unit: UnitState,
  status: PartStatus | undefined,
  nowSeconds: number,
): Omit<PartTrouble, 'part'> | undefined {
  const isYoung = nowSeconds - unit.changedAtSeconds < loop.youngSeconds
  if (unit.restarts >= loop.restartsMin && (unit.active !== 'active' || isYoung))
    return { kind: 'loop', words: `was started again ${unit.restarts} times` }
  if (unit.active === 'activating' || (unit.active === 'inactive' && unit.queued)) return undefined
  if (unit.active !== 'active')
    return { kind: 'down', words: `is not running: its unit is ${unit.active}${resultOf(unit)}` }
  // Starting a unit that systemd takes for active does nothing: it is started anew.
  if (status?.state === 'paused')
    return { kind: 'down', words: `is ${status.statusText}, its unit active`, needs: 'unpause' }
  if (status?.state === 'absent')
    return { kind: 'down', words: 'has no container, its unit is active', needs: 'restart' }
  if (status?.state === 'exited')
    return { kind: 'down', words: `is ${status.statusText}, its unit active`, needs: 'restart' }
  if (status?.health === 'unhealthy') return { kind: 'down', words: `is ${status.statusText}`, needs: 'restart' }
  return undefined
}

function resultOf({ result }: UnitState): string {
  return result === 'success' || result === '' ? '' : ` (${result})`
}

function troubleOfProcess(status: PartStatus): PartTrouble[] {
  const { part, state, failedStarts = 0, health, statusText } = status
  if (failedStarts >= loop.restartsMin) return [{ part, kind: 'loop', words: `failed to start ${failedStarts} times` }]
  if (state !== 'running') return [{ part, kind: 'down', words: statusText ? `is ${statusText}` : 'is not running' }]
  return health === 'unhealthy' ? [{ part, kind: 'down', words: `is ${statusText}`, needs: 'restart' }] : []
}

/** What evidence says of units that were edited. */
export function editWords(troubles: readonly PartTrouble[]): string[] {
  return troubles.flatMap(({ part, edits = [] }) => edits.map((file) => `${part}: its unit is edited here: ${file}`))
}

function uptimeSeconds(): number {
  return Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0])
}
