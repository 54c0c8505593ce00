import { watchPattern } from '../../patterns/pattern-watch.ts'
import type { Tokenize } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { javaPattern } from '../options.ts'
import { piecesBetween } from './spans.ts'

/** `pattern`: what stands between the matches of a pattern (`group: -1`), or a group of each match. */
export const patternTokenizer = defineComponent<Tokenize>({
  name: 'pattern',
  create(options) {
    const pattern = javaPattern(options.text('pattern', '[^\\p{L}\\p{N}_]+'), options.text('flags', ''), 'gd')
    const group = options.whole('group', -1)
    const watch = watchPattern(pattern)
    if (group < 0) return (text) => watch(text, () => piecesBetween(text, pattern))
    return (text) =>
      watch(text, () => [...text.matchAll(pattern)])
        .flatMap((found) => {
          const [start, end] = found.indices?.[group] ?? [0, 0]
          return end > start ? [{ text: text.slice(start, end), start, end, type: 'word' }] : []
        })
        .map((token, position) => ({ position, ...token }))
  },
})
