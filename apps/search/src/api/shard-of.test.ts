import { expect, it } from 'vitest'
import { murmur3 } from './shard-of.ts'

// Vectors of the reference implementation, seed 0.
it.each([
  ['', 0],
  ['test', 0xba6bd213 | 0],
  ['Hello, world!', 0xc0363e43 | 0],
  ['The quick brown fox jumps over the lazy dog', 0x2e4ff723],
])('hashes "%s"', (text, expected) => {
  expect(murmur3(Buffer.from(text))).toBe(expected)
})
