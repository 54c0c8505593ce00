const mask = (1n << 64n) - 1n
const [first, second] = [0x87c37b91114253d5n, 0x4cf5ad432745937fn]

const rotated = (value: bigint, by: bigint): bigint => ((value << by) | (value >> (64n - by))) & mask
const times = (value: bigint, by: bigint): bigint => (value * by) & mask
const plus = (value: bigint, by: bigint): bigint => (value + by) & mask

function mixed(value: bigint): bigint {
  const once = times(value ^ (value >> 33n), 0xff51afd7ed558ccdn)
  const twice = times(once ^ (once >> 33n), 0xc4ceb9fe1a85ec53n)
  return twice ^ (twice >> 33n)
}

/** A number of up to eight bytes, the lowest first. */
function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
}

/** MurmurHash3 for x64 in 128 bits with seed 0 (A. Appleby, in the public domain): its two halves. */
export function murmur128(bytes: Uint8Array): readonly [bigint, bigint] {
  let [one, two] = [0n, 0n]
  const blocks = Math.floor(bytes.length / 16)
  const scrambledOne = (word: bigint) => times(rotated(times(word, first), 31n), second)
  const scrambledTwo = (word: bigint) => times(rotated(times(word, second), 33n), first)
  for (let block = 0; block < blocks; block += 1) {
    const at = block * 16
    one ^= scrambledOne(littleEndian(bytes.subarray(at, at + 8)))
    one = plus(times(plus(rotated(one, 27n), two), 5n), 0x52dce729n)
    two ^= scrambledTwo(littleEndian(bytes.subarray(at + 8, at + 16)))
    two = plus(times(plus(rotated(two, 31n), one), 5n), 0x38495ab5n)
  }
  const rest = bytes.subarray(blocks * 16)
  two ^= scrambledTwo(littleEndian(rest.subarray(8)))
  one ^= scrambledOne(littleEndian(rest.subarray(0, 8)))
  const length = BigInt(bytes.length)
  one = plus(one ^ length, two ^ length)
  two = plus(two ^ length, one)
  one = mixed(one)
  two = mixed(two)
  one = plus(one, two)
  return [one, plus(two, one)]
}
