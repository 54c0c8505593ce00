import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { mapWords } from './map-words.ts'

/** `reverse`: each word from its end. */
export const reverseFilter = defineComponent<FilterTokens>({
  name: 'reverse',
  create: () => mapWords((word) => [...word].reverse().join('')),
})
