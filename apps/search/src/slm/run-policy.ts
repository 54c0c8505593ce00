import { randomBytes } from 'node:crypto'
import { AppError, messageOf, searchErrors } from '@logstack/errors'
import { evaluateIndexName } from '../indices/index-names.ts'
import { isObject } from '../json/json-object.ts'
import type { RunningSnapshot } from '../snapshots/activity.ts'
import { beginSnapshot, type SnapshotServices } from '../snapshots/create-snapshot.ts'
import { snapshotRequest } from '../snapshots/snapshot-request.ts'
import { changePolicyState, snapshotPolicies } from './policy.ts'

interface Run {
  readonly snapshot: RunningSnapshot
  readonly ended: Promise<void>
}

/** The snapshots that policies make now, by policy. */
const running = new WeakMap<object, Map<string, Run>>()

/** The snapshot that a policy makes now. */
export function runningOf(services: object, policy: string): RunningSnapshot | undefined {
  return running.get(services)?.get(policy)?.snapshot
}

/** The name of a snapshot of a policy: its own is evaluated, and what follows tells two of one moment apart. */
function snapshotName(name: string, nowMs: number): string {
  return `${evaluateIndexName(name, nowMs)}-${randomBytes(12).toString('hex')}`
}

/**
 * Begins a snapshot as a policy says; `ended` resolves when it has ended and the policy knows how. Throws `illegal_argument_exception` where there is no
 * such policy, and what beginning throws, which is noted as the policy's failure.
 */
export async function runPolicy(
  services: SnapshotServices,
  id: string,
): Promise<{ readonly snapshot: string; readonly ended: Promise<void> }> {
  const { store, now } = services
  const stored = snapshotPolicies(store).get(id)
  if (!stored) throw new AppError(searchErrors.illegal_argument_exception, `no such snapshot lifecycle policy [${id}]`)
  const { policy } = stored
  const startedMs = now()
  const snapshot = snapshotName(policy.name, startedMs)
  const failed = (thrown: unknown) =>
    changePolicyState(store, id, (before) => ({
      ...before,
      failed: before.failed + 1,
      failedInRow: (before.failedInRow ?? 0) + 1,
      lastFailure: { snapshot_name: snapshot, time: now(), details: messageOf(thrown) },
    }))
  const { metadata } = policy.config
  const config = { ...policy.config, metadata: { ...(isObject(metadata) ? metadata : {}), policy: id } }
  let begun: Awaited<ReturnType<typeof beginSnapshot>>
  try {
    if (runningOf(services, id))
      throw new AppError(
        searchErrors.concurrent_snapshot_execution_exception,
        `[${policy.repository}:${snapshot}] a snapshot of the policy [${id}] is under way`,
      )
    begun = await beginSnapshot(services, snapshotRequest(services, policy.repository, snapshot, config))
  } catch (thrown) {
    await failed(thrown)
    throw thrown
  }
  const own = running.get(services) ?? new Map<string, Run>()
  const ended = begun.complete
    .then(
      (record) =>
        changePolicyState(store, id, (before) => ({
          ...before,
          taken: before.taken + 1,
          failedInRow: 0,
          lastSuccess: { snapshot_name: record.snapshot, start_time: record.startMs, time: record.endMs },
        })),
      failed,
    )
    .finally(() => own.delete(id))
  running.set(services, own.set(id, { snapshot: begun.running, ended }))
  return { snapshot, ended }
}

/** Ends the snapshots that policies make, and waits for that. */
export async function stopPolicies(services: object): Promise<void> {
  const all = [...(running.get(services)?.values() ?? [])]
  const reason = new AppError(searchErrors.snapshot_exception, 'search is shutting down')
  for (const { snapshot } of all) snapshot.abort.abort(reason)
  await Promise.allSettled(all.map(({ ended }) => ended))
}
