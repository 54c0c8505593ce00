import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'

/** `remove_duplicates`: of equal words at one place the first. */
export const removeDuplicatesFilter = defineComponent<FilterTokens>({
  name: 'remove_duplicates',
  create: () => (tokens) => {
    const known = new Set<string>()
    return tokens.filter(({ text, position }) => {
      const before = known.size
      known.add(`${position} ${text}`)
      return known.size > before
    })
  },
})
