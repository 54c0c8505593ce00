/** How different two names may be, as a share of the longer one, to be suggested for each other. */
const likenessMin = 0.5

/** ` did you mean [x]?` or ` did you mean any of [x, y]?` for a mistyped name; empty when nothing is like it. Names that are like it by half count where `isHalfEnough`, as ES|QL has it. */
export function didYouMean(given: string, known: Iterable<string>, { isHalfEnough = false } = {}): string {
  const alike = [...known]
    .map((name) => ({ name, likeness: 1 - editDistance(given, name) / Math.max(given.length, name.length, 1) }))
    .filter(({ likeness }) => likeness > likenessMin || (isHalfEnough && likeness === likenessMin))
    .sort((a, b) => b.likeness - a.likeness || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name)
  if (alike.length === 0) return ''
  return alike.length === 1 ? ` did you mean [${alike[0]}]?` : ` did you mean any of [${alike.join(', ')}]?`
}

function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 20) return Math.max(a.length, b.length)
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const change = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(change, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
