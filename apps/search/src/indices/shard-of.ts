import type { IndexMeta } from '../model/index-meta.ts'
import { murmur3 } from '../values/murmur3.ts'

/**
 * The shard a routing value leads to, as Elasticsearch works it out (murmur3 of the UTF-16 text). All rows lie in one place here; it
 * decides only whether a document is found under a routing, which clients of several shards depend on.
 */
export function shardOf(index: IndexMeta, routing: string): number {
  const shards = Number(index.settings['number_of_shards'] ?? 1)
  if (shards <= 1) return 0
  const places = Number(index.settings['number_of_routing_shards'] ?? routingShards(shards))
  const hash = murmur3(Buffer.from(routing, 'utf16le'))
  return Math.floor((((hash % places) + places) % places) / (places / shards))
}

/** Whether a request under a routing (absent: the id) comes to the shard where a document was written under its own (empty: its id). */
export function leadsTo(
  index: IndexMeta,
  routing: string | undefined,
  written: { readonly id: string; readonly routing: string },
): boolean {
  return shardOf(index, routing ?? written.id) === shardOf(index, written.routing === '' ? written.id : written.routing)
}

/** How many shards an index may be split into, which is what a hash is divided by: as many doublings as stay within 1,024, one at least. */
function routingShards(shards: number): number {
  const doublings = Math.max(1, 10 - Math.ceil(Math.log2(shards)))
  return shards * 2 ** doublings
}
