import type { FilterTokens, Token } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { illegalOption } from '../options.ts'

/** `common_grams`: beside words those pairs in which one is common; with `query_mode` instead of the words that begin them. */
export const commonGramsFilter = defineComponent<FilterTokens>({
  name: 'common_grams',
  needsOptions: true,
  create(options) {
    const ignoresCase = options.flag('ignore_case', false)
    const known = (word: string) => (ignoresCase ? word.toLowerCase() : word)
    const given = options.list('common_words')
    if (given === undefined)
      throw illegalOption('missing or empty [common_words] configuration for common_grams token filter')
    const common = new Set(given.map(known))
    const forQueries = options.flag('query_mode', false)
    return (tokens) => {
      const pairs = tokens.map((token, at): Token | undefined => {
        const next = tokens[at + 1]
        if (!next || !(common.has(known(token.text)) || common.has(known(next.text)))) return undefined
        const text = `${token.text}_${next.text}`
        return { text, start: token.start, end: next.end, position: token.position, type: 'gram', positionLength: 2 }
      })
      return tokens.flatMap((token, at): Token[] => {
        const pair = pairs[at]
        if (!forQueries) return pair ? [token, pair] : [token]
        if (pair) return [{ ...pair, positionLength: 1 }]
        return at === tokens.length - 1 && pairs[at - 1] ? [] : [token]
      })
    }
  },
})
