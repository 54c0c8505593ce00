import { messageOf } from '@logstack/errors'
import { isObject } from '../json/json-object.ts'
import { deleteSnapshots } from '../snapshots/collect-garbage.ts'
import type { SnapshotServices } from '../snapshots/create-snapshot.ts'
import { filesOf } from '../snapshots/repositories.ts'
import type { Store } from '../store/store.ts'
import { changePolicyState, snapshotPolicies } from './policy.ts'
import { expiredSnapshots } from './retention-choice.ts'

/** What retention did since it was first run; kept over restarts. */
export interface RetentionStats {
  readonly runs: number
  readonly failed: number
  readonly deletionMs: number
}

/** What retention did. */
export function retentionStats(store: Pick<Store, 'collection'>): RetentionStats {
  return store.collection<RetentionStats>('slm_stats').get('retention') ?? { runs: 0, failed: 0, deletionMs: 0 }
}

/** Deletes the snapshots that policies do not keep any more, one after another. What goes wrong with one is logged and counted, and the others go on. */
export async function runSnapshotRetention(services: SnapshotServices): Promise<void> {
  const { store, now, logger } = services
  const began = performance.now()
  let failures = 0
  for (const [id, { policy }] of snapshotPolicies(store).entries()) {
    const { retention, repository } = policy
    if (!retention) continue
    try {
      const { records } = await (await filesOf(services, repository)).records()
      const own = records.filter(({ metadata }) => isObject(metadata) && metadata['policy'] === id)
      for (const { snapshot } of expiredSnapshots(own, retention, now()))
        await remove(services, id, repository, snapshot)
    } catch (thrown) {
      failures += 1
      logger.warn({ err: thrown, policy: id }, 'retention of snapshots failed')
    }
  }
  await store.transaction(() => {
    const { runs, failed, deletionMs } = retentionStats(store)
    const spentMs = Math.round(performance.now() - began)
    store
      .collection<RetentionStats>('slm_stats')
      .put('retention', { runs: runs + 1, failed: failed + Math.min(1, failures), deletionMs: deletionMs + spentMs })
  })
}

async function remove(services: SnapshotServices, id: string, repository: string, snapshot: string): Promise<void> {
  const { store, logger } = services
  try {
    await deleteSnapshots(services, repository, [snapshot])
    await changePolicyState(store, id, (before) => ({ ...before, deleted: before.deleted + 1 }))
    logger.info({ repository, snapshot, policy: id }, 'a snapshot that expired was deleted')
  } catch (thrown) {
    logger.warn(
      { reason: messageOf(thrown), repository, snapshot, policy: id },
      'a snapshot that expired is still there',
    )
    await changePolicyState(store, id, (before) => ({ ...before, deletionFailures: before.deletionFailures + 1 }))
  }
}
