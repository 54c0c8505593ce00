/**
 * How many letters must be put in, taken out, replaced or (neighbours, unless `swaps` is false) swapped to make one word of another; more than `most` is
 * `most + 1`.
 */
export function editDistance(a: string, b: string, most: number, swaps = true): number {
  const [from, to] = [[...a], [...b]]
  if (Math.abs(from.length - to.length) > most) return most + 1
  let before: number[] = []
  let previous = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [row, letter] of from.entries()) {
    const current = [row + 1]
    for (const [column, other] of to.entries()) {
      let best = Math.min(
        (previous[column] ?? 0) + (letter === other ? 0 : 1),
        (previous[column + 1] ?? 0) + 1,
        (current[column] ?? 0) + 1,
      )
      if (swaps && row > 0 && column > 0 && letter === to[column - 1] && from[row - 1] === other)
        best = Math.min(best, (before[column - 1] ?? 0) + 1)
      current.push(best)
    }
    before = previous
    previous = current
  }
  return Math.min(most + 1, previous[to.length] ?? 0)
}
