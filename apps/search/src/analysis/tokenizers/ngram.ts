import type { Token, Tokenize } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { type GramSizes, gramSizes, gramsOf } from '../grams.ts'
import { characterClass, illegalOption, type Options } from '../options.ts'

const classes: Readonly<Record<string, string>> = {
  letter: '\\p{L}',
  digit: '\\p{Nd}',
  whitespace: '\\s',
  punctuation: '\\p{P}',
  symbol: '\\p{S}',
}

function wordsOf(options: Options): RegExp {
  const kinds = options.list('token_chars') ?? []
  if (kinds.length === 0) return /.+/gsu
  const members = kinds.map((kind) => {
    if (kind === 'custom') return options.text('custom_token_chars', '').replace(/[\\\]^-]/gu, '\\$&')
    const known = classes[kind]
    if (known === undefined)
      throw illegalOption(
        `Unknown token type: '${kind}', must be one of [symbol, punctuation, digit, letter, whitespace]`,
      )
    return known
  })
  return characterClass(members, '+')
}

/** The pieces of all words of a text; `fromStartOnly` is `edge_ngram`. */
export function gramTokenizer(options: Options, otherwise: GramSizes, fromStartOnly: boolean): Tokenize {
  const words = wordsOf(options)
  const sizes = gramSizes(options, otherwise, fromStartOnly)
  return (text) =>
    [...text.matchAll(words)]
      .flatMap(({ 0: word, index }) =>
        gramsOf(word, sizes, fromStartOnly).map((gram) => ({ text: gram.text, start: index + gram.at })),
      )
      .map((gram, position): Token => ({ end: gram.start + gram.text.length, position, type: 'word', ...gram }))
}

/** `ngram`: every piece of a word between two sizes. */
export const ngramTokenizer = defineComponent<Tokenize>({
  name: 'ngram',
  create: (options) => gramTokenizer(options, { min: 1, max: 2 }, false),
})
