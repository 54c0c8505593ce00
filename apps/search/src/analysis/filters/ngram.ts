import type { FilterTokens, Token } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { type GramSizes, gramSizes, gramsOf } from '../grams.ts'
import type { Options } from '../options.ts'

/** The pieces of each word, at its place; `fromStartOnly` is `edge_ngram`. */
export function gramFilter(options: Options, otherwise: GramSizes, fromStartOnly: boolean): FilterTokens {
  const sizes = gramSizes(options, otherwise, fromStartOnly)
  const keeps = options.flag('preserve_original', false)
  return (tokens) =>
    tokens.flatMap((token): Token[] => {
      const grams = gramsOf(token.text, sizes, fromStartOnly).map(({ text }) => ({ ...token, text }))
      const length = [...token.text].length
      return keeps && (length < sizes.min || length > sizes.max) ? [...grams, token] : grams
    })
}

/** `ngram`: every piece of a word between two sizes. */
export const ngramFilter = defineComponent<FilterTokens>({
  name: 'ngram',
  create: (options) => gramFilter(options, { min: 1, max: 2 }, false),
})
