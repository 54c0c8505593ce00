import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { mapWords } from './map-words.ts'

/** `apostrophe`: without an apostrophe and what follows it. */
export const apostropheFilter = defineComponent<FilterTokens>({
  name: 'apostrophe',
  create: () => mapWords((word) => word.replace(/['’].*$/su, '')),
})
