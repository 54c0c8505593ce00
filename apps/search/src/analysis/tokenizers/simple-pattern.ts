import { watchPattern } from '../../patterns/pattern-watch.ts'
import type { Tokenize } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { javaPattern } from '../options.ts'
import { matchesOf } from './spans.ts'

/** `simple_pattern`: the matches of a pattern. */
export const simplePatternTokenizer = defineComponent<Tokenize>({
  name: 'simple_pattern',
  create(options) {
    const pattern = javaPattern(options.text('pattern', ''), '')
    const watch = watchPattern(pattern)
    return (text) => watch(text, () => matchesOf(text, pattern, 'word'))
  },
})
