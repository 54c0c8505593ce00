import type { Tokenize } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { matchesOf } from './spans.ts'

/** The part of an address before its `@` is no longer than that: else it is looked for from each letter of a text without one. */
const words =
  /[\p{L}\p{N}._%+-]{1,128}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+|(?:\p{L}\.){2,}|\p{L}+(?:'\p{L}+)+|[\p{L}\p{N}]+(?:\.[\p{L}\p{N}]+)+|[\p{L}\p{N}]+/gu

function typeOf(word: string): string {
  if (word.includes('@')) return '<EMAIL>'
  if (/^(?:\p{L}\.)+$/u.test(word)) return '<ACRONYM>'
  if (word.includes("'")) return '<APOSTROPHE>'
  return word.includes('.') ? '<HOST>' : '<ALPHANUM>'
}

/** `classic`: words of English text; acronyms, mail addresses and names of hosts stay whole. */
export const classicTokenizer = defineComponent<Tokenize>({
  name: 'classic',
  create(options) {
    const longest = options.whole('max_token_length', 255)
    return (text) => matchesOf(text, words, typeOf, longest)
  },
})
