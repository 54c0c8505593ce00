import { boundedRegExp, standardTokenPattern } from '@logstack/rules'
import type { Tokenize } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { matchesOf } from './spans.ts'

const words = boundedRegExp(standardTokenPattern, 'gu')

/** The type that Unicode word breaks give a word. */
function typeOf(word: string): string {
  if (/^[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}]$/u.test(word))
    return /\p{Script=Hiragana}/u.test(word) ? '<HIRAGANA>' : '<IDEOGRAPHIC>'
  if (/^\p{Script=Katakana}+$/u.test(word)) return '<KATAKANA>'
  if (/^\p{Script=Hangul}+$/u.test(word)) return '<HANGUL>'
  return /^[\p{N}.,;'’_]+$/u.test(word) ? '<NUM>' : '<ALPHANUM>'
}

/** `standard`: words by Unicode's word breaks, as the token index of a text knows them, in their own letters. */
export const standardTokenizer = defineComponent<Tokenize>({
  name: 'standard',
  create(options) {
    const longest = options.whole('max_token_length', 255)
    return (text) => matchesOf(text, words, typeOf, longest)
  },
})
