import type { Tokenize } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { matchesOf } from './spans.ts'

/** `whitespace`: everything between white space. */
export const whitespaceTokenizer = defineComponent<Tokenize>({
  name: 'whitespace',
  create(options) {
    const longest = options.whole('max_token_length', 255)
    return (text) => matchesOf(text, /\S+/gu, 'word', longest)
  },
})
