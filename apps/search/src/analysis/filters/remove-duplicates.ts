import { defineComponent } from '../component.ts'
import type { FilterTokens } from '../token.ts'

/** `remove_duplicates`: of equal words at one place the first. */
export const removeDuplicatesFilter = defineComponent<FilterTokens>({
  name: 'remove_duplicates',
  create: () => (tokens) =>
    tokens.filter(
      ({ text, position }, at) =>
        tokens.findIndex((other) => other.text === text && other.position === position) === at,
    ),
})
