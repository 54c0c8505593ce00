import { boundedRegExp, standardTokenPattern } from '@logstack/rules'
import type { Tokenize } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { matchesOf } from './spans.ts'

const url = '(?:https?|ftp|file)://[^\\s<>"]*[^\\s<>".,;:!?)\\]]'
const email = '[\\p{L}\\p{N}._%+-]+@[\\p{L}\\p{N}-]+(?:\\.[\\p{L}\\p{N}-]+)+'
const isUrl = boundedRegExp(`^${url}$`, 'u')
const isEmail = boundedRegExp(`^${email}$`, 'u')
const words = boundedRegExp(`${url}|${email}|${standardTokenPattern}`, 'gu')

/** `uax_url_email`: as `standard`, with URLs and mail addresses whole. */
export const uaxUrlEmailTokenizer = defineComponent<Tokenize>({
  name: 'uax_url_email',
  create(options) {
    const longest = options.whole('max_token_length', 255)
    const typeOf = (word: string) =>
      isUrl.test(word) ? '<URL>' : isEmail.test(word) ? '<EMAIL>' : /^[\d.,]+$/u.test(word) ? '<NUM>' : '<ALPHANUM>'
    return (text) => matchesOf(text, words, typeOf, longest)
  },
})
