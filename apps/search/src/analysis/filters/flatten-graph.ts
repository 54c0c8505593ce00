import { defineComponent } from '../component.ts'
import type { FilterTokens, Token } from '../token.ts'

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
  const from = Math.min(...tokens.map(({ position }) => position))
  const to = Math.max(...tokens.map(({ position, positionLength = 1 }) => position + positionLength))
  const places: number[] = []
  places[from] = from
  for (let node = from + 1; node <= to; node++) {
    const leading = tokens.filter(({ position, positionLength = 1 }) => position + positionLength === node)
    const before = leading.map(({ position }) => places[position] ?? 0)
    places[node] = (before.length === 0 ? (places[node - 1] ?? 0) : Math.max(...before)) + 1
  }
  return places
}
