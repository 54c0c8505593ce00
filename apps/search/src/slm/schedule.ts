import { clusterSetting } from '../cluster-settings/read.ts'
import type { SnapshotServices } from '../snapshots/create-snapshot.ts'
import { type Cron, parseCron } from './cron.ts'
import { changePolicyState, nextOf, slmMode, snapshotPolicies, snapshotPolicyState } from './policy.ts'
import { runSnapshotRetention } from './retention.ts'
import { runPolicy } from './run-policy.ts'

const clock = 'slm_clock'

/** Begins the snapshots that are due, and deletes old ones when it is time. What is begun goes on after this resolves; failures are logged. */
export async function runSnapshotSchedules(services: SnapshotServices): Promise<void> {
  const { store, now, logger } = services
  const isRunning = slmMode(store) === 'RUNNING'
  for (const [id, stored] of [...snapshotPolicies(store).entries()]) {
    const { dueMs, dueVersion } = snapshotPolicyState(store, id)
    const isKnown = dueMs !== undefined && dueVersion === stored.version
    if (isKnown && now() < dueMs) continue
    const next = nextOf(stored, now())
    // Noted before it is made: one that cannot be made waits for its next time.
    await changePolicyState(store, id, ({ dueMs: _, ...before }) => ({
      ...before,
      dueVersion: stored.version,
      ...(next === undefined ? {} : { dueMs: next }),
    }))
    if (!isKnown || !isRunning) continue
    try {
      const { ended } = await runPolicy(services, id)
      ended.catch((err: unknown) => logger.warn({ err, policy: id }, 'the end of a snapshot could not be noted'))
    } catch (thrown) {
      logger.warn({ err: thrown, policy: id }, 'a policy could not make its snapshot')
    }
  }
  if (await isRetentionDue(services, isRunning)) await runSnapshotRetention(services)
}

/** Whether retention is to run now; notes when the next time is. An empty setting is never. */
async function isRetentionDue({ store, catalogue, now }: SnapshotServices, isRunning: boolean): Promise<boolean> {
  const schedule = clusterSetting(catalogue, 'slm.retention_schedule')
  const kept = store.collection<{ readonly schedule: string; readonly dueMs: number }>(clock)
  const known = kept.get('retention')
  const isKnown = known?.schedule === schedule
  if (isKnown && now() < known.dueMs) return false
  const next = retentionCron(schedule)?.next(now())
  await store.transaction(() => kept.put('retention', { schedule, dueMs: next ?? Number.MAX_SAFE_INTEGER }))
  return isKnown && isRunning
}

/** An empty schedule is never. */
function retentionCron(schedule: string): Cron | undefined {
  return schedule.trim() === '' ? undefined : parseCron(schedule)
}
