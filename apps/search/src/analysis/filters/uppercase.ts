import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { mapWords } from './map-words.ts'

/** `uppercase`: upper case. */
export const uppercaseFilter = defineComponent<FilterTokens>({
  name: 'uppercase',
  create: () => mapWords((word) => word.toUpperCase()),
})
