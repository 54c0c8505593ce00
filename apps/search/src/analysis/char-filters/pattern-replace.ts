import { defineComponent } from '../component.ts'
import { javaPattern, javaReplacement } from '../options.ts'
import type { FilterText } from '../token.ts'
import { replacedText } from './replaced-text.ts'

/** `pattern_replace`: what a pattern matches, replaced. */
export const patternReplaceCharFilter = defineComponent<FilterText>({
  name: 'pattern_replace',
  needsOptions: true,
  create(options) {
    const pattern = javaPattern(options.text('pattern', ''), options.text('flags', ''))
    const once = new RegExp(pattern.source, `${pattern.flags.replace('g', '')}y`)
    const replacement = javaReplacement(options.text('replacement', ''))
    return (text) =>
      replacedText(
        text,
        [...text.matchAll(pattern)].map(({ 0: found, index }) => {
          once.lastIndex = index
          const changed = text.replace(once, replacement)
          const by = changed.slice(index, changed.length - (text.length - index - found.length))
          return { from: index, to: index + found.length, by }
        }),
      )
  },
})
