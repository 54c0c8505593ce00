import type { Tokenize } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'

/** `keyword`: the whole text is one word. */
export const keywordTokenizer = defineComponent<Tokenize>({
  name: 'keyword',
  create: () => (text) => (text === '' ? [] : [{ text, start: 0, end: text.length, position: 0, type: 'word' }]),
})
