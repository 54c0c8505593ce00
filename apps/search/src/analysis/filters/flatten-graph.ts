import { defineComponent } from '../component.ts'
import type { FilterTokens } from '../token.ts'

/** `flatten_graph`: words that cover one place each. */
export const flattenGraphFilter = defineComponent<FilterTokens>({
  name: 'flatten_graph',
  create: () => (tokens) =>
    tokens.map(({ text, start, end, position, type }) => ({ text, start, end, position, type })),
})
