import { watchPattern } from '../../patterns/pattern-watch.ts'
import type { FilterTokens, Token } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { javaPattern } from '../options.ts'

/** `pattern_capture`: the groups of patterns as words at the place of theirs, which stays unless `preserve_original` is off. */
export const patternCaptureFilter = defineComponent<FilterTokens>({
  name: 'pattern_capture',
  needsOptions: true,
  create(options) {
    const patterns = (options.lines('patterns') ?? []).map((given) => {
      const pattern = javaPattern(given, '')
      return { pattern, watch: watchPattern(pattern) }
    })
    const keeps = options.flag('preserve_original', true)
    return (tokens) =>
      tokens.flatMap((token): Token[] => {
        const groups = patterns.flatMap(({ pattern, watch }) =>
          watch(token.text, () => [...token.text.matchAll(pattern)]).flatMap((found) =>
            found.slice(1).filter((group) => group),
          ),
        )
        const words = new Set(keeps ? [token.text, ...groups] : groups.length === 0 ? [token.text] : groups)
        return [...words].map((text) => ({ ...token, text }))
      })
  },
})
