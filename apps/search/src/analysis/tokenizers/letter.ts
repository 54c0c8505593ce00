import type { Tokenize } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { matchesOf } from './spans.ts'

/** `letter`: runs of letters. */
export const letterTokenizer = defineComponent<Tokenize>({
  name: 'letter',
  create: () => (text) => matchesOf(text, /\p{L}+/gu, 'word'),
})
