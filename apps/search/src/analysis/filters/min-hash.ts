import type { FilterTokens, Token } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { murmur128 } from '../murmur3-128.ts'
import { illegalOption, type Options } from '../options.ts'

type Hash = readonly [low: bigint, high: bigint]

/** As many hashes as a text may leave. */
const hashesMax = 65_536

/** `min_hash`: instead of the words of a text the least of their hashes, by which texts that are alike share words. */
export const minHashFilter = defineComponent<FilterTokens>({
  name: 'min_hash',
  create(options) {
    const hashCount = positive(options, 'hash_count', 1)
    const bucketCount = positive(options, 'bucket_count', 512)
    const setSize = positive(options, 'hash_set_size', 1)
    const withRotation = options.flag('with_rotation', bucketCount > 1)
    if (hashCount * bucketCount * setSize > hashesMax)
      throw illegalOption(`[hash_count] * [bucket_count] * [hash_set_size] may be at most [${hashesMax}]`)
    return (tokens) => {
      const last = tokens.at(-1)
      if (!last) return []
      const hashes = tokens.map(({ text }) => murmur128(Buffer.from(text, 'utf16le')))
      return Array.from({ length: hashCount }, (_, number) => {
        const buckets = leastHashes(hashes, number, bucketCount, setSize)
        const filled = withRotation && setSize === 1 ? rotated(buckets) : buckets
        return filled.flatMap((bucket) => bucket.map((hash) => textOf(hash, hashCount > 1 ? number : undefined)))
      }).flatMap((texts) =>
        texts.map((text): Token => ({ text, start: 0, end: last.end, position: 0, type: 'MIN_HASH' })),
      )
    }
  },
})

function positive(options: Options, key: string, otherwise: number): number {
  const value = options.whole(key, otherwise)
  if (value > 0) return value
  throw illegalOption(`[${key}] must be greater than zero`)
}

const isLess = (one: Hash, other: Hash) => one[1] < other[1] || (one[1] === other[1] && one[0] < other[0])

/** The least hashes of each bucket, ascending, each once; a bucket is a range of the highest 32 bits. */
function leastHashes(hashes: readonly Hash[], number: number, bucketCount: number, setSize: number): Hash[][] {
  const buckets: Hash[][] = Array.from({ length: bucketCount }, () => [])
  const bucketSize = BigInt(Math.ceil(2 ** 32 / bucketCount))
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  const variant = murmur128(bytes)
  for (const hash of hashes) {
    const own: Hash = [BigInt.asUintN(64, hash[0] * 37n + variant[0]), BigInt.asUintN(64, hash[1] * 37n + variant[1])]
    const bucket = buckets[Number((own[1] >> 32n) / bucketSize)]
    if (!bucket || bucket.some(([low, high]) => low === own[0] && high === own[1])) continue
    const at = bucket.findIndex((other) => isLess(own, other))
    bucket.splice(at < 0 ? bucket.length : at, 0, own)
    bucket.length = Math.min(bucket.length, setSize)
  }
  return buckets
}

/** Empty buckets take the hash of the next filled one, around the end. */
function rotated(buckets: readonly Hash[][]): Hash[][] {
  return buckets.map((bucket, at) =>
    bucket.length > 0
      ? bucket
      : ([...buckets.slice(at + 1), ...buckets.slice(0, at)].find((other) => other.length > 0) ?? []),
  )
}

/** A hash as letters of 16 bits, the highest first; with several hashes the number of its own before it, in place of its lowest. */
function textOf([low, high]: Hash, number: number | undefined): string {
  const letters = (value: bigint) => [48n, 32n, 16n, 0n].map((by) => Number((value >> by) & 0xffffn))
  const all = [...letters(high), ...letters(low)]
  return String.fromCharCode(...(number === undefined ? all : [number >>> 16, number & 0xffff, ...all.slice(0, 6)]))
}
