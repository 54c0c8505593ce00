import type { Tokenize } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { matchesOf } from './spans.ts'

/** `lowercase`: runs of letters, in lower case. */
export const lowercaseTokenizer = defineComponent<Tokenize>({
  name: 'lowercase',
  create: () => (text) =>
    matchesOf(text, /\p{L}+/gu, 'word').map((token) => ({ ...token, text: token.text.toLowerCase() })),
})
