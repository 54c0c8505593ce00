import { AppError, searchErrors } from '@logstack/errors'
import { clusterCount } from '../cluster-settings/read.ts'
import type { IndexMeta, IndexSettings } from '../model/index-meta.ts'
import type { Store } from '../store/store.ts'

/** The shards that an index with such settings takes: primaries, and replicas whether they have a node or not. */
export function shardsTaken(settings: IndexSettings): number {
  return Number(settings['number_of_shards'] ?? 1) * (1 + Number(settings['number_of_replicas'] ?? 0))
}

/** The shards of the open ones among indices. */
export function openShards(indices: Iterable<IndexMeta>): number {
  let sum = 0
  for (const { state, settings } of indices) if (state === 'open') sum += shardsTaken(settings)
  return sum
}

/**
 * Throws `validation_exception`, as Elasticsearch does, where `added` more shards beside those of the open indices are more than
 * `cluster.max_shards_per_node`. What takes none is never refused.
 */
export function checkShardLimit(store: Pick<Store, 'collection'>, indices: Iterable<IndexMeta>, added: number): void {
  if (added <= 0) return
  const most = clusterCount(store, 'cluster.max_shards_per_node')
  const used = openShards(indices)
  if (used + added <= most) return
  const reason = `this action would add [${added}] shards, but this cluster currently has [${used}]/[${most}] maximum normal shards open`
  throw new AppError(searchErrors.validation_exception, `Validation Failed: 1: ${reason};`)
}
