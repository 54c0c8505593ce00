import type { FilterTokens, Token } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'

/** `flatten_graph`: the ways of a graph of words side by side in one row of places, as an index holds them. */
export const flattenGraphFilter = defineComponent<FilterTokens>({
  name: 'flatten_graph',
  create: () => (tokens) => {
    const places = flatPlaces(tokens)
    return tokens
      .map(({ positionLength = 1, ...token }): Token => {
        const [from, to] = [places[token.position] ?? 0, places[token.position + positionLength] ?? 0]
        return { ...token, position: from, ...(to - from > 1 ? { positionLength: to - from } : {}) }
      })
      .sort((a, b) => a.position - b.position)
  },
})

/** For each node of the graph its place: after all words that lead to it. */
function flatPlaces(tokens: readonly Token[]): number[] {
  let from = Number.POSITIVE_INFINITY
  let to = 0
  const leading = new Map<number, number[]>()
  for (const { position, positionLength = 1 } of tokens) {
    const node = position + positionLength
    from = Math.min(from, position)
    to = Math.max(to, node)
    const known = leading.get(node)
    if (known) known.push(position)
    else leading.set(node, [position])
  }
  const places: number[] = []
  places[from] = from
  for (let node = from + 1; node <= to; node++) {
    const before = leading.get(node) ?? [node - 1]
    places[node] = before.reduce((last, position) => Math.max(last, places[position] ?? 0), 0) + 1
  }
  return places
}
