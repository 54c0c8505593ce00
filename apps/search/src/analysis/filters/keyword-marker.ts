import { watchPattern } from '../../patterns/pattern-watch.ts'
import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { javaPattern } from '../options.ts'

/** `keyword_marker`: words that stemmers leave as they are. */
export const keywordMarkerFilter = defineComponent<FilterTokens>({
  name: 'keyword_marker',
  needsOptions: true,
  create(options) {
    const ignoresCase = options.flag('ignore_case', false)
    const fold = (word: string) => (ignoresCase ? word.toLowerCase() : word)
    const words = new Set((options.list('keywords') ?? []).map(fold))
    const given = options.text('keywords_pattern', '')
    const pattern = given === '' ? undefined : javaPattern(`^(?:${given})$`, '', '')
    const watch = pattern && watchPattern(pattern)
    const isMarked = (word: string) => watch?.(word, () => pattern?.test(word)) === true
    return (tokens) =>
      tokens.map((token) => (words.has(fold(token.text)) || isMarked(token.text) ? { ...token, keyword: true } : token))
  },
})
