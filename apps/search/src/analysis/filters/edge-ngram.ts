import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { gramFilter } from './ngram.ts'

/** `edge_ngram`: the beginnings of a word between two sizes. */
export const edgeNgramFilter = defineComponent<FilterTokens>({
  name: 'edge_ngram',
  create: (options) => gramFilter(options, { min: 1, max: 2 }, true),
})
