import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { wordDelimiter } from './word-delimiter.ts'

/** `word_delimiter_graph`: as `word_delimiter`; joined words say how many places they cover. */
export const wordDelimiterGraphFilter = defineComponent<FilterTokens>({
  name: 'word_delimiter_graph',
  create: wordDelimiter,
})
