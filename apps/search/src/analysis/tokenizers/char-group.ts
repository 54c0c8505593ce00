import type { Tokenize } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { characterClass } from '../options.ts'
import { piecesBetween } from './spans.ts'

const classes: Readonly<Record<string, string>> = {
  whitespace: '\\s',
  letter: '\\p{L}',
  digit: '\\p{Nd}',
  punctuation: '\\p{P}',
  symbol: '\\p{S}',
}

/** `char_group`: what stands between given characters, which may be named by their class. */
export const charGroupTokenizer = defineComponent<Tokenize>({
  name: 'char_group',
  create(options) {
    const members = (options.list('tokenize_on_chars') ?? []).map((member) => {
      const named = classes[member]
      if (named !== undefined) return named
      const plain = member === '\\n' ? '\n' : member === '\\t' ? '\t' : member
      return plain.replace(/[\\\]^-]/gu, '\\$&')
    })
    const pattern = members.length === 0 ? /(?!)/gu : characterClass(members, '')
    return (text) => piecesBetween(text, pattern)
  },
})
