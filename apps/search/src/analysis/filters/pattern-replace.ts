import { watchPattern } from '../../patterns/pattern-watch.ts'
import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { javaPattern, javaReplacement } from '../options.ts'
import { mapWords } from './map-words.ts'

/** `pattern_replace`: what a pattern matches within words, replaced everywhere or (`all: false`) once. */
export const patternReplaceFilter = defineComponent<FilterTokens>({
  name: 'pattern_replace',
  needsOptions: true,
  create(options) {
    const everywhere = options.flag('all', true)
    const pattern = javaPattern(options.text('pattern', ''), options.text('flags', ''), everywhere ? 'g' : '')
    const replacement = javaReplacement(options.text('replacement', ''))
    const watch = watchPattern(pattern)
    return mapWords((word) => watch(word, () => word.replace(pattern, replacement)))
  },
})
