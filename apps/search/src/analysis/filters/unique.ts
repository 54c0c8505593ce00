import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'

/** `unique`: each word once, or with `only_on_same_position` once at each place. */
export const uniqueFilter = defineComponent<FilterTokens>({
  name: 'unique',
  create(options) {
    const samePlace = options.flag('only_on_same_position', false)
    return (tokens) => {
      const seen = new Set<string>()
      return tokens.filter(({ text, position }) => {
        const key = samePlace ? `${position} ${text}` : text
        if (seen.has(key)) return false
        seen.add(key)
        return true
      })
    }
  },
})
