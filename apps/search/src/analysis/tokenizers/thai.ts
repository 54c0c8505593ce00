import type { Token, Tokenize } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'

/** `thai`: words by the dictionary of Thai in Unicode's library (ICU); other scripts as their word breaks say. */
export const thaiTokenizer = defineComponent<Tokenize>({
  name: 'thai',
  create() {
    const segmenter = new Intl.Segmenter('th', { granularity: 'word' })
    return (text) => {
      const tokens: Token[] = []
      for (let from = 0; from < text.length; ) {
        const piece = text.slice(from, from + pieceLetters)
        const segments = [...segmenter.segment(piece)]
        // Where a piece ends its last words may go on.
        if (from + piece.length < text.length) segments.splice(Math.max(1, segments.length - lastWords))
        for (const { segment, index, isWordLike } of segments) {
          const start = from + index
          if (isWordLike === true)
            tokens.push({ text: segment, start, end: start + segment.length, position: tokens.length, type: 'word' })
        }
        const last = segments.at(-1)
        from += last ? last.index + last.segment.length : piece.length
      }
      return tokens
    }
  },
})

/** The runtime takes a time for each word that grows with its text, so that is given in pieces. */
const pieceLetters = 2_000
/** Words at the end of a piece that the next begins with. */
const lastWords = 10
