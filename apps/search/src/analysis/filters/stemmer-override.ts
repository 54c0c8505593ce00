import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { illegalOption } from '../options.ts'

/** `stemmer_override`: given stems for given words, which no stemmer changes afterwards. */
export const stemmerOverrideFilter = defineComponent<FilterTokens>({
  name: 'stemmer_override',
  needsOptions: true,
  create(options) {
    const stems = new Map<string, string>()
    for (const rule of options.lines('rules') ?? []) {
      const [words, stem, more] = rule.split('=>').map((side) => side.trim())
      if (words === undefined || stem === undefined || more !== undefined || stem === '')
        throw illegalOption(`Invalid Keyword override Rule:${rule}`)
      for (const word of words.split(',')) stems.set(word.trim(), stem)
    }
    return (tokens) =>
      tokens.map((token) => {
        const stem = stems.get(token.text)
        return stem === undefined ? token : { ...token, text: stem, keyword: true }
      })
  },
})
