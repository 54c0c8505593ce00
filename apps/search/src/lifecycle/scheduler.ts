import { clusterTimeMs } from '../cluster-settings/read.ts'
import { Periodic } from '../documents/sweep.ts'
import { stopPolicies } from '../slm/run-policy.ts'
import { runSnapshotSchedules } from '../slm/schedule.ts'
import type { SnapshotServices } from '../snapshots/create-snapshot.ts'
import { watchClock } from './clock-leaps.ts'
import { freeReplacedParts } from './free-replaced-parts.ts'
import { runPolicies } from './ilm/run-policies.ts'
import { runRetention } from './retention.ts'
import { runStreamLifecycles } from './run-stream-lifecycles.ts'

/** Runs policies, lifecycles of data streams, retention and policies of snapshots; one at a time. */
export interface LifecycleScheduler {
  /** Runs what is due now. Never rejects: what fails is logged and tried again at the next turn. */
  tick(): Promise<void>
  /** Waits for a run that is under way; snapshots of policies are ended. */
  close(): Promise<void>
}

const lookMs = 5_000
const ageIntervalMs = 3_600_000
const clockCollection = 'lifecycle_clock'

/**
 * Starts the scheduler. Everything it goes by (states, times of the last runs) is in the store, so a restart changes nothing. Policies and data
 * streams have their turn every `indices.lifecycle.poll_interval` (a minute when it is not set), and so does retention by space; by age every hour.
 * Snapshots begin within seconds of their time and go on beside all else. After a leap of the clock nothing goes by its age (`clock-leaps.ts`);
 * `steadyMs` is what the clock is held against, milliseconds that only go on.
 */
export function startLifecycle(
  context: SnapshotServices,
  steadyMs: () => number = () => performance.now(),
): LifecycleScheduler {
  const { catalogue, store, now, logger } = context
  const clock = store.collection<number>(clockCollection)
  const leaps = watchClock(context, steadyMs)
  let lastPollMs = Number.NEGATIVE_INFINITY

  /** True when a task was not run within its interval; notes that it is now. A clock that was set back counts as long ago. */
  async function isDue(task: string, intervalMs: number): Promise<boolean> {
    const last = clock.get(task)
    if (last !== undefined && now() >= last && now() - last < intervalMs) return false
    await store.transaction(() => clock.put(task, now()))
    return true
  }

  async function attempt(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (thrown) {
      logger.warn({ err: thrown }, `${what} failed; it is tried again`)
    }
  }

  async function tick(): Promise<void> {
    const isDoubted = (await leaps.look()) !== undefined
    await attempt('making snapshots by the clock', () => runSnapshotSchedules(context, { deletes: !isDoubted }))
    const pollMs = clusterTimeMs(catalogue, 'indices.lifecycle.poll_interval')
    if (now() >= lastPollMs && now() - lastPollMs < pollMs) return
    lastPollMs = now()
    if (!isDoubted) {
      await attempt('running lifecycle policies', () => runPolicies(context))
      await attempt('running the lifecycles of data streams', () => runStreamLifecycles(context))
    }
    await attempt('freeing the space of replaced parts', () => freeReplacedParts(context))
    await attempt('retention', async () =>
      runRetention(context, { byAge: !isDoubted && (await isDue('retention_by_age', ageIntervalMs)) }),
    )
  }

  const periodic = new Periodic(tick, lookMs, (err) => logger.warn({ err }, 'the lifecycle scheduler failed'))
  return {
    tick,
    async close() {
      await periodic.close()
      await leaps.close()
      await stopPolicies(context)
    },
  }
}
