/** MurmurHash3 (x86, 32 bits), as a signed integer. Written after Austin Appleby's description, which is in the public domain. */
export function murmur3(bytes: Buffer, seed = 0): number {
  let hash = seed
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
