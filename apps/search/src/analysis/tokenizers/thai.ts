import { defineComponent } from '../component.ts'
import type { Token, Tokenize } from '../token.ts'

/** `thai`: words by the dictionary of Thai in Unicode's library (ICU); other scripts as their word breaks say. */
export const thaiTokenizer = defineComponent<Tokenize>({
  name: 'thai',
  create() {
    const segmenter = new Intl.Segmenter('th', { granularity: 'word' })
    return (text) => {
      const tokens: Token[] = []
      for (const { segment, index, isWordLike } of segmenter.segment(text))
        if (isWordLike === true)
          tokens.push({
            text: segment,
            start: index,
            end: index + segment.length,
            position: tokens.length,
            type: 'word',
          })
      return tokens
    }
  },
})
