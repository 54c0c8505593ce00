/** Values within values that are printed or compared at once. */
const heldValuesMax = 200_000

/**
 * Throws a RangeError for a value that holds more than `most` values, each counted as often as it would be printed: a list that holds another twice,
 * which holds another twice, is small in memory and endless on paper, as is one that holds itself.
 */
export function refuseHuge(value: unknown, most = heldValuesMax): void {
  const left: unknown[] = [value]
  for (let count = 1; left.length > 0; count++) {
    const next = left.pop()
    if (count + left.length > most) throw new RangeError(`a value may hold at most ${most} values`)
    if (Array.isArray(next)) for (const inner of next) left.push(inner)
    else if (typeof next === 'object' && next !== null && Object.getPrototypeOf(next) === Object.prototype)
      for (const inner of Object.values(next)) left.push(inner)
  }
}
