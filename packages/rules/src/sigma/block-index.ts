const addressBits = 128n

/** Finds which of many blocks of addresses hold one: a look-up for each length that their prefixes have. */
export class BlockIndex {
  readonly #byShift = new Map<bigint, Map<bigint, number[]>>()

  /** Files `member` under a block; its first and last address differ by a power of two, as those of a prefix do. */
  add(first: bigint, last: bigint, member: number): void {
    const shift = shiftOf(last - first)
    const blocks = this.#byShift.get(shift) ?? new Map<bigint, number[]>()
    this.#byShift.set(shift, blocks)
    const members = blocks.get(first >> shift)
    if (members) members.push(member)
    else blocks.set(first >> shift, [member])
  }

  /** Calls `found` with the members of every block that holds the address. */
  search(address: bigint, found: (members: readonly number[]) => void): void {
    for (const [shift, blocks] of this.#byShift) {
      const members = blocks.get(address >> shift)
      if (members) found(members)
    }
  }
}

function shiftOf(span: bigint): bigint {
  let shift = 0n
  while (shift < addressBits && span >> shift !== 0n) shift++
  return shift
}
