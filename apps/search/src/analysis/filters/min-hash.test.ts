import { describe, expect, it } from 'vitest'
import { analyze } from '../../tokens/token.ts'
import { analysisOf } from '../analysis.ts'
import { murmur128 } from '../murmur3-128.ts'

const analysis = analysisOf({})
const hashed = (options: object, text: string, tokenizer = 'keyword') =>
  analyze(analysis.custom({ tokenizer, filter: [{ type: 'min_hash', ...options }] }), text)
const codes = (text: string) => [...Array(text.length).keys()].map((at) => text.charCodeAt(at))
const woof = 'woof woof woof woof woof'

describe('MurmurHash3 of 128 bits', () => {
  it.each([
    ['', '00000000000000000000000000000000'],
    ['hello', 'cbd8a7b341bd9b025b1e906a48ae1d19'],
    ['The quick brown fox jumps over the lazy dog', 'e34bbc7bbc071b6c7a433ca9c49a9347'],
  ])('%j', (text, expected) => {
    const hash = murmur128(Buffer.from(text)).map((half) => half.toString(16).padStart(16, '0'))
    expect(hash.join('')).toBe(expected)
  })
})

describe('min_hash', () => {
  // The values are those of Lucene's own tests of its filter.
  it('gives the hash of a text, and another of each number', () => {
    const [one, ...others] = hashed({ hash_count: 1, bucket_count: 1, hash_set_size: 100 }, woof)
    expect(others).toEqual([])
    expect(codes(one?.text ?? '').slice(0, 6)).toEqual([8449, 54_077, 64_133, 32_857, 8605, 41_409])
    expect(one).toMatchObject({ start: 0, end: 24, position: 0, type: 'MIN_HASH' })
    const two = hashed({ hash_count: 2, bucket_count: 1 }, woof)
    expect(two.map(({ text }) => codes(text))).toEqual([
      [0, 0, 8449, 54_077, 64_133, 32_857, 8605, 41_409],
      [0, 1, 16_887, 58_164, 39_536, 14_926, 6529, 17_276],
    ])
  })

  it('fills empty buckets around the end unless it is told not to', () => {
    expect(hashed({}, woof)).toHaveLength(512)
    expect(new Set(hashed({}, woof).map(({ text }) => text)).size).toBe(1)
    expect(hashed({ with_rotation: false }, woof)).toHaveLength(1)
    expect(hashed({ hash_set_size: 2 }, woof)).toHaveLength(1)
  })

  it('keeps the least hashes of each bucket, each once and ascending', () => {
    const all = hashed({ bucket_count: 1, hash_set_size: 100 }, 'a b c d a', 'whitespace').map(({ text }) => text)
    expect(all).toHaveLength(4)
    expect([...all].sort()).toEqual(all)
    const least = hashed({ bucket_count: 1, hash_set_size: 2 }, 'd c b a', 'whitespace').map(({ text }) => text)
    expect(least).toEqual(all.slice(0, 2))
  })

  it('gives nothing of nothing, and refuses what it cannot do', () => {
    expect(hashed({}, '', 'whitespace')).toEqual([])
    expect(() => hashed({ hash_count: 0 }, 'a')).toThrow('[hash_count] must be greater than zero')
    expect(() => hashed({ hash_count: 1000 }, 'a')).toThrow('may be at most [65536]')
  })
})
