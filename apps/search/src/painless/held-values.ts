/** Values within values that are printed or compared at once. */
const heldValuesMax = 200_000

/**
 * Throws a RangeError for a value that holds more than `most` values, each counted as often as it would be printed: a list that holds another twice,
 * which holds another twice, is small in memory and endless on paper. What holds itself is not counted again within itself: that is for
 * `refuseSelfReferences`. Returns how many there are.
 */
export function refuseHuge(value: unknown, most = heldValuesMax): number {
  const above = new Set<unknown>()
  let left = most
  const count = (held: unknown): void => {
    left -= 1
    if (left < 0) throw new RangeError(`a value may hold at most ${most} values`)
    const isPlain = typeof held === 'object' && held !== null && Object.getPrototypeOf(held) === Object.prototype
    if (!(isPlain || Array.isArray(held)) || above.has(held)) return
    above.add(held)
    for (const inner of Array.isArray(held) ? held : Object.values(held as object)) count(inner)
    above.delete(held)
  }
  count(value)
  return most - left
}

/** Refuses a huge document as `refuseHuge` does, and takes out of it what is: whatever goes on with it must not print that. */
export function refuseHugeDocument(document: object, most: number): void {
  try {
    refuseHuge(document, most)
  } catch (thrown) {
    const parts = document as Record<string, unknown>
    for (const key of Object.keys(parts)) if (isHuge(parts[key], most)) delete parts[key]
    throw thrown
  }
}

function isHuge(value: unknown, most: number): boolean {
  try {
    refuseHuge(value, most)
    return false
  } catch (thrown) {
    if (thrown instanceof RangeError) return true
    throw thrown
  }
}
