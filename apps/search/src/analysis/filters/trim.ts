import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { mapWords } from './map-words.ts'

/** `trim`: without white space at both ends. */
export const trimFilter = defineComponent<FilterTokens>({
  name: 'trim',
  create: () => mapWords((word) => word.trim()),
})
