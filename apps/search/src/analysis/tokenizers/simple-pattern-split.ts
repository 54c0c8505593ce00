import { watchPattern } from '../../patterns/pattern-watch.ts'
import type { Tokenize } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { javaPattern } from '../options.ts'
import { piecesBetween } from './spans.ts'

/** `simple_pattern_split`: what stands between the matches of a pattern. */
export const simplePatternSplitTokenizer = defineComponent<Tokenize>({
  name: 'simple_pattern_split',
  create(options) {
    const given = options.text('pattern', '')
    const pattern = given === '' ? /(?!)/gu : javaPattern(given, '')
    const watch = watchPattern(pattern)
    return (text) => watch(text, () => piecesBetween(text, pattern))
  },
})
