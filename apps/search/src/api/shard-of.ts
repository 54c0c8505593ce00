import type { IndexMeta } from '../indices/model.ts'

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

/** How many shards an index may be split into, which is what a hash is divided by: as many doublings as stay within 1,024, one at least. */
function routingShards(shards: number): number {
  const doublings = Math.max(1, 10 - Math.ceil(Math.log2(shards)))
  return shards * 2 ** doublings
}

/** MurmurHash3 (x86, 32 bits, seed 0), as a signed integer. Written after Austin Appleby's description, which is in the public domain. */
export function murmur3(bytes: Buffer): number {
  let hash = 0
  const whole = bytes.length - (bytes.length % 4)
  for (let at = 0; at < whole; at += 4) {
    hash ^= scramble(bytes.readUInt32LE(at))
    hash = (hash << 13) | (hash >>> 19)
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0
  }
  let tail = 0
  for (let at = bytes.length - 1; at >= whole; at--) tail = (tail << 8) | (bytes[at] ?? 0)
  if (bytes.length > whole) hash ^= scramble(tail)
  hash ^= bytes.length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) | 0
}

function scramble(block: number): number {
  const mixed = Math.imul(block, 0xcc9e2d51)
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593)
}
