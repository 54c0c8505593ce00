import { clusterSetting } from '../cluster-settings/read.ts'
import { type Cron, parseCron } from '../dates/cron.ts'
import type { SnapshotServices } from '../snapshots/create-snapshot.ts'
import { changePolicyState, nextOf, slmMode, snapshotPolicies, snapshotPolicyState } from './policy.ts'
import { runSnapshotRetention } from './retention.ts'
import { runPolicy } from './run-policy.ts'

const clock = 'slm_clock'

/**
 * Begins the snapshots that are due, and, where it `deletes`, removes old ones when it is time. What is begun goes on after this resolves; failures are
 * logged. A time that was noted by a clock that was ahead is noted anew, or nothing would be made until then.
 */
export async function runSnapshotSchedules(
  services: SnapshotServices,
  { deletes = true }: { readonly deletes?: boolean } = {},
): Promise<void> {
  const { store, now, logger } = services
  const isRunning = slmMode(store) === 'RUNNING'
  for (const [id, stored] of [...snapshotPolicies(store).entries()]) {
    const { dueMs, dueVersion } = snapshotPolicyState(store, id)
    const isKnown = dueMs !== undefined && dueVersion === stored.version
    const next = nextOf(stored, now())
    const isDue = isKnown && now() >= dueMs
    if (isKnown && !isDue && (next === undefined || next >= dueMs)) continue
    // Noted before it is made: one that cannot be made waits for its next time.
    await changePolicyState(store, id, ({ dueMs: _, ...before }) => ({
      ...before,
      dueVersion: stored.version,
      ...(next === undefined ? {} : { dueMs: next }),
    }))
    if (!isDue || !isRunning) continue
    try {
      const { ended } = await runPolicy(services, id)
      ended.catch((err: unknown) => logger.warn({ err, policy: id }, 'the end of a snapshot could not be noted'))
    } catch (thrown) {
      logger.warn({ err: thrown, policy: id }, 'a policy could not make its snapshot')
    }
  }
  if (deletes && (await isRetentionDue(services, isRunning))) await runSnapshotRetention(services)
}

/** Whether retention is to run now; notes when the next time is. An empty setting is never. */
async function isRetentionDue({ store, catalogue, now }: SnapshotServices, isRunning: boolean): Promise<boolean> {
  const schedule = clusterSetting(catalogue, 'slm.retention_schedule')
  const kept = store.collection<{ readonly schedule: string; readonly dueMs: number }>(clock)
  const known = kept.get('retention')
  const isKnown = known?.schedule === schedule
  const isDue = isKnown && now() >= known.dueMs
  const next = retentionCron(schedule)?.next(now()) ?? Number.MAX_SAFE_INTEGER
  if (isKnown && !isDue && next >= known.dueMs) return false
  await store.transaction(() => kept.put('retention', { schedule, dueMs: next }))
  return isDue && isRunning
}

/** An empty schedule is never. */
function retentionCron(schedule: string): Cron | undefined {
  return schedule.trim() === '' ? undefined : parseCron(schedule)
}
