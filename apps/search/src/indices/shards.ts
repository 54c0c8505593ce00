import type { IndexMeta } from '../model/index-meta.ts'

/** How the shards of an index stand on this one node: primaries are always there, replicas never find a node. */
export interface ShardCounts {
  readonly primaries: number
  readonly unassigned: number
}

/** Counts an index's shards from its settings. */
export function shardsOf(index: IndexMeta): ShardCounts {
  const primaries = Number(index.settings['number_of_shards'] ?? 1)
  return { primaries, unassigned: primaries * Number(index.settings['number_of_replicas'] ?? 0) }
}

/** The health of an index: yellow when a replica waits for a node. */
export function healthOf(index: IndexMeta): 'green' | 'yellow' {
  return shardsOf(index).unassigned > 0 ? 'yellow' : 'green'
}

/** `_shards` of a write to one document: it went to the primary. */
export function writeShards(index: IndexMeta): { total: number; successful: number; failed: number } {
  return { total: 1 + Number(index.settings['number_of_replicas'] ?? 0), successful: 1, failed: 0 }
}

/** `_shards` of a search. */
export interface SearchShards {
  readonly total: number
  readonly successful: number
  readonly skipped: number
  readonly failed: number
}

/** `_shards` of a search over indices, of which all shards answer, and of those that failed, each as one. */
export function searchShards(indices: readonly IndexMeta[], failed = 0): SearchShards {
  const successful = indices.reduce((sum, index) => sum + shardsOf(index).primaries, 0)
  return { total: successful + failed, successful, skipped: 0, failed }
}

/** `_shards` of an operation over whole indices. */
export function broadcastShards(indices: readonly IndexMeta[]): { total: number; successful: number; failed: number } {
  const counts = indices.map(shardsOf)
  const successful = counts.reduce((sum, count) => sum + count.primaries, 0)
  return { total: counts.reduce((sum, count) => sum + count.unassigned, successful), successful, failed: 0 }
}
