import { statfsSync } from 'node:fs'
import type { AgentPolicy, UnitReason } from '@logstack/contracts'
import { messageOf, systemSentence } from '@logstack/errors'
import type { DataPaths } from './data-directory.ts'
import { isDiskFull, writeDurably } from './durable-file.ts'
import type { Identity } from './identity.ts'
import type { Spool } from './spool/spool.ts'
import type { UnitStates } from './unit-states.ts'

/** How often a running agent writes its status. */
export const statusEveryMs = 10_000
/** A status of before so many milliseconds was not written anew, as it should have been. */
const staleAfterMs = 3 * statusEveryMs
const unit = 'data directory'

/** What the status is made of. */
export interface StatusSources {
  readonly paths: DataPaths
  readonly identity: Identity
  readonly spool: Pick<Spool, 'pending' | 'lacksRoom'>
  readonly states: UnitStates
  readonly policy: AgentPolicy | undefined
}

/**
 * Writes what `agent status` shows. A data directory that takes nothing, as on a full disk, is a unit that failed: agent-server is told of it, which the
 * agent still reaches, and nobody else would notice that events are no longer kept. It never throws: the agent goes on, and tries again.
 */
export function writeStatus({ paths, identity, spool, states, policy }: StatusSources): void {
  const status = {
    id: identity.id,
    url: identity.url,
    status: states.status,
    message: states.message,
    policy: policy ? { id: policy.id, revision: policy.revision } : undefined,
    pending: spool.pending,
    components: states.components(),
    written_at: new Date().toISOString(),
  }
  let problem = spool.lacksRoom ? 'the disk is full, and what inputs read waits for room' : undefined
  let reason: UnitReason = 'disk_full'
  try {
    writeDurably(paths.status, JSON.stringify(status))
  } catch (thrown) {
    problem = systemSentence(thrown) ?? messageOf(thrown)
    if (!isDiskFull(thrown)) reason = 'data_unwritable'
  }
  const known = states.has(unit)
  if (problem !== undefined)
    states.report(unit, {
      component: 'agent',
      type: 'output',
      status: 'FAILED',
      message: `${paths.folder} takes nothing more: ${problem}${freeOf(paths.folder)}`,
      reason,
    })
  else if (known)
    states.report(unit, { component: 'agent', type: 'output', status: 'HEALTHY', message: 'can be written' })
}

/** What is wrong with a status that a running agent wrote at `writtenAt` (ISO 8601) and not since; undefined while it is fresh. */
export function staleness(paths: Pick<DataPaths, 'folder'>, writtenAt: string, now: number): string | undefined {
  const age = now - Date.parse(writtenAt)
  if (age < staleAfterMs) return undefined
  return `it has written no status for ${Math.round(age / 1000)} s: can ${paths.folder} be written?${freeOf(paths.folder)}`
}

function freeOf(folder: string): string {
  try {
    const { bavail, bsize, blocks } = statfsSync(folder)
    const megabytes = (count: number): number => Math.floor((count * bsize) / 1024 ** 2)
    return ` (${megabytes(bavail)} of ${megabytes(blocks)} MB free)`
  } catch {
    return ''
  }
}
