/** Jaro and Winkler's likeness of two words, from 0 to 1; a common beginning counts more above 0.7. */
export function jaroWinkler(a: string, b: string): number {
  const [left, right] = [[...a], [...b]]
  const range = Math.max(Math.floor(Math.max(left.length, right.length) / 2) - 1, 0)
  const taken = new Set<number>()
  const matched: string[] = []
  for (const [at, letter] of left.entries()) {
    const from = Math.max(0, at - range)
    const found = right.findIndex(
      (other, place) => place >= from && place <= at + range && !taken.has(place) && other === letter,
    )
    if (found < 0) continue
    taken.add(found)
    matched.push(letter)
  }
  if (matched.length === 0) return 0
  const others = right.filter((_, place) => taken.has(place))
  const swaps = matched.filter((letter, at) => letter !== others[at]).length / 2
  const count = matched.length
  const jaro = (count / left.length + count / right.length + (count - swaps) / count) / 3
  if (jaro < 0.7) return jaro
  let common = 0
  while (common < Math.min(4, left.length, right.length) && left[common] === right[common]) common++
  return jaro + Math.min(0.1, 1 / Math.max(left.length, right.length)) * common * (1 - jaro)
}

/** The share of letter pairs two words have in common, from 0 to 1. */
export function ngramLikeness(a: string, b: string): number {
  const pairs = (word: string) =>
    [...`^${word}`].slice(0, -1).map((letter, at) => letter + ([...`^${word}`][at + 1] ?? ''))
  const [left, right] = [pairs(a), pairs(b)]
  if (left.length + right.length === 0) return 1
  const rest = [...right]
  let common = 0
  for (const pair of left) {
    const at = rest.indexOf(pair)
    if (at < 0) continue
    rest.splice(at, 1)
    common++
  }
  return (2 * common) / (left.length + right.length)
}
