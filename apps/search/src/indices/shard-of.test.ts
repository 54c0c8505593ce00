import { expect, it } from 'vitest'
import type { IndexMeta } from '../model/index-meta.ts'
import { murmur3 } from '../values/murmur3.ts'
import { shardOf } from './shard-of.ts'

// Vectors of the reference implementation, seed 0.
it.each([
  ['', 0],
  ['test', 0xba6bd213 | 0],
  ['Hello, world!', 0xc0363e43 | 0],
  ['The quick brown fox jumps over the lazy dog', 0x2e4ff723],
])('hashes "%s"', (text, expected) => {
  expect(murmur3(Buffer.from(text))).toBe(expected)
})

const placed = (settings: Record<string, string>, routing: string) =>
  shardOf({ settings } as unknown as IndexMeta, routing)

// The hash of "1" is -126235597: 51 modulo 1,024, so 51 of the 512 places of the first of two shards.
it.each([
  [{}, 0],
  [{ number_of_shards: '1' }, 0],
  [{ number_of_shards: '2' }, 0],
  [{ number_of_shards: '2', number_of_routing_shards: '2' }, 1],
  [{ number_of_shards: '3' }, 2],
  [{ number_of_shards: '5', number_of_routing_shards: '5' }, 3],
])('finds the shard of a document by %j', (settings, shard) => {
  expect(placed(settings as Record<string, string>, '1')).toBe(shard)
})
