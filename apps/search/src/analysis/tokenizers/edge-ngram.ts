import type { Tokenize } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { gramTokenizer } from './ngram.ts'

/** `edge_ngram`: the beginnings of a word between two sizes. */
export const edgeNgramTokenizer = defineComponent<Tokenize>({
  name: 'edge_ngram',
  create: (options) => gramTokenizer(options, { min: 1, max: 2 }, true),
})
