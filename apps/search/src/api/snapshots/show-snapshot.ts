import type { RunningSnapshot } from '../../snapshots/activity.ts'
import type { SnapshotIndex, SnapshotRecord } from '../../snapshots/format.ts'
import { apiVersion } from '../resources/root.ts'

/** A snapshot of a repository: complete, under way or failed. */
export type ListedSnapshot = { readonly repository: string } & (
  | { readonly record: SnapshotRecord }
  | { readonly running: RunningSnapshot }
)

/** The number of the version whose form snapshots are shown in. */
const versionId = 8_536_000

/** What is listed by. */
export function nameOf(listed: ListedSnapshot): string {
  return 'record' in listed ? listed.record.snapshot : listed.running.snapshot
}

/** `SUCCESS`, `PARTIAL`, `IN_PROGRESS` or `FAILED`. */
export function stateOf(listed: ListedSnapshot): string {
  if ('record' in listed) return listed.record.state
  return listed.running.failure === undefined ? 'IN_PROGRESS' : 'FAILED'
}

/** When it began and ended, in epoch milliseconds; the end is absent while it runs. */
export function timesOf(listed: ListedSnapshot): { readonly startMs: number; readonly endMs: number | undefined } {
  if ('record' in listed) return listed.record
  return { startMs: listed.running.startMs, endMs: undefined }
}

/** How many shards there are, and how many are whole or failed. */
export function shardsOfSnapshot(listed: ListedSnapshot): { total: number; failed: number; successful: number } {
  if ('running' in listed) {
    const { shards: total, doneShards, failure } = listed.running
    return { total, failed: failure === undefined ? 0 : total, successful: failure === undefined ? doneShards : 0 }
  }
  const successful = listed.record.indices.reduce((sum, { shards }) => sum + shards, 0)
  const failed = listed.record.failures.reduce((sum, { shards }) => sum + shards, 0)
  return { total: successful + failed, failed, successful }
}

/** The names of its indices. */
export function indicesOfSnapshot(listed: ListedSnapshot): readonly string[] {
  if ('running' in listed) return listed.running.indices
  return [...listed.record.indices.map(({ name }) => name), ...listed.record.failures.map(({ index }) => index)].sort()
}

function failuresOf(listed: ListedSnapshot): Record<string, unknown>[] {
  if ('running' in listed) return []
  return listed.record.failures.map(({ index, reason }) => ({
    index,
    index_uuid: index,
    shard_id: 0,
    reason,
    status: 'INTERNAL_SERVER_ERROR',
  }))
}

/** A snapshot as `GET _snapshot` shows it; without `verbose` what its list says of it. */
export function showSnapshot(listed: ListedSnapshot, verbose = true, withIndices = true): Record<string, unknown> {
  const of = 'record' in listed ? listed.record : listed.running
  const dataStreams =
    'record' in listed ? listed.record.dataStreams.map(({ name }) => name) : [...listed.running.dataStreams]
  const brief = {
    snapshot: of.snapshot,
    uuid: of.uuid,
    repository: listed.repository,
    ...(withIndices ? { indices: indicesOfSnapshot(listed) } : {}),
    data_streams: dataStreams,
    state: stateOf(listed),
  }
  if (!verbose) return brief
  const { startMs, endMs } = timesOf(listed)
  const end =
    endMs === undefined
      ? {}
      : {
          end_time: new Date(endMs).toISOString(),
          end_time_in_millis: endMs,
          duration_in_millis: Math.max(0, endMs - startMs),
        }
  const reason = 'running' in listed && listed.running.failure !== undefined ? { reason: listed.running.failure } : {}
  return {
    ...brief,
    version_id: versionId,
    version: apiVersion.number,
    include_global_state: of.includeGlobalState,
    ...(of.metadata === undefined ? {} : { metadata: of.metadata }),
    ...reason,
    start_time: new Date(startMs).toISOString(),
    start_time_in_millis: startMs,
    ...end,
    failures: failuresOf(listed),
    shards: shardsOfSnapshot(listed),
    feature_states: [],
  }
}

function stats(files: readonly SnapshotIndex[], startMs: number, timeMs: number): Record<string, unknown> {
  const sum = (of: (index: SnapshotIndex) => number): number => files.reduce((total, index) => total + of(index), 0)
  return {
    incremental: { file_count: sum(({ newFiles }) => newFiles), size_in_bytes: sum(({ newBytes }) => newBytes) },
    total: { file_count: sum(({ files: count }) => count), size_in_bytes: sum(({ bytes }) => bytes) },
    start_time_in_millis: startMs,
    time_in_millis: Math.max(0, timeMs),
  }
}

const shardStats = (done: number, failed: number, started: number): Record<string, number> => ({
  initializing: 0,
  started,
  finalizing: 0,
  done,
  failed,
  total: done + failed + started,
})

/** A snapshot as `_status` shows it. */
export function showStatus(listed: ListedSnapshot, nowMs: number): Record<string, unknown> {
  const of = 'record' in listed ? listed.record : listed.running
  const { total, failed, successful } = shardsOfSnapshot(listed)
  const { startMs, endMs = nowMs } = timesOf(listed)
  const state = stateOf(listed)
  const common = {
    snapshot: of.snapshot,
    repository: listed.repository,
    uuid: of.uuid,
    state: state === 'IN_PROGRESS' ? 'STARTED' : state,
    include_global_state: of.includeGlobalState,
    shards_stats: shardStats(successful, failed, total - successful - failed),
  }
  if ('running' in listed) {
    const { files, bytes } = listed.running
    const written = { file_count: files, size_in_bytes: bytes }
    const time = { start_time_in_millis: startMs, time_in_millis: Math.max(0, nowMs - startMs) }
    return { ...common, stats: { incremental: written, total: written, ...time }, indices: {} }
  }
  const all = listed.record.indices
  const indices = all.map((index) => {
    const own = stats([index], startMs, endMs - startMs)
    const shards = Array.from({ length: index.shards }, (_, shard) => [
      String(shard),
      { stage: 'DONE', stats: shard === 0 ? own : stats([], startMs, endMs - startMs) },
    ])
    return [
      index.name,
      { shards_stats: shardStats(index.shards, 0, 0), stats: own, shards: Object.fromEntries(shards) },
    ] as const
  })
  return { ...common, stats: stats(all, startMs, endMs - startMs), indices: Object.fromEntries(indices) }
}
