import { readTime } from '../values/unit-values.ts'
import type { SnapshotRetention } from './policy.ts'

/** What is known of a snapshot of a policy. */
export interface PolicySnapshot {
  readonly snapshot: string
  readonly startMs: number
  readonly state: string
}

/**
 * The snapshots that go, oldest first. Counts are of whole snapshots; those that are not whole go when they expire. Beyond `max_count` the oldest go,
 * expired or not; expired ones stay while there would be fewer than `min_count` without them.
 */
export function expiredSnapshots(
  all: readonly PolicySnapshot[],
  { expire_after, min_count = 0, max_count = Number.POSITIVE_INFINITY }: SnapshotRetention,
  nowMs: number,
): readonly PolicySnapshot[] {
  const ageMs = expire_after === undefined ? Number.POSITIVE_INFINITY : readTime('expire_after', expire_after)
  const isExpired = ({ startMs }: PolicySnapshot) => nowMs - startMs > ageMs
  let left = all.filter(({ state }) => state === 'SUCCESS').length
  return [...all]
    .sort((a, b) => a.startMs - b.startMs)
    .filter((snapshot) => {
      if (snapshot.state !== 'SUCCESS') return isExpired(snapshot)
      const goes = left > max_count || (isExpired(snapshot) && left > min_count)
      if (goes) left -= 1
      return goes
    })
}
