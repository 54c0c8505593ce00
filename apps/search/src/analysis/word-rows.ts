import type { FilterTokens, NamedPart, Token } from '../tokens/token.ts'
import { edgeNgramFilter } from './filters/edge-ngram.ts'
import { shingleFilter } from './filters/shingle.ts'
import { Options } from './options.ts'

/** Letters of a beginning at most; a whole row of words is kept beside them. */
export const beginningLengthMax = 20

const none = () => undefined

/** Filters after which words stand `size` at a time, a space between them, as in the fields `_2gram`, `_3gram` and so on. */
export function rowsOfWords(size: number): readonly NamedPart<FilterTokens>[] {
  const options = { min_shingle_size: size, max_shingle_size: size, output_unigrams: false, filler_token: '' }
  return [{ name: 'shingle', work: shingleFilter.create(new Options(options), none) }]
}

/** Filters that make the words of `_index_prefix`: the beginnings of the rows of `size` words, those that the end of the text cuts short among them. */
export function beginningsOfRows(size: number): readonly NamedPart<FilterTokens>[] {
  const beginnings = new Options({ min_gram: 1, max_gram: beginningLengthMax, preserve_original: true })
  return [
    { name: 'trailing_places', work: (tokens) => [...tokens, ...emptyPlaces(tokens.at(-1), size - 1)] },
    ...rowsOfWords(size),
    { name: 'edge_ngram', work: edgeNgramFilter.create(beginnings, none) },
  ]
}

/** Places without a word behind the last one, so that rows begin at each of the last words, too. */
function emptyPlaces(last: Token | undefined, count: number): Token[] {
  if (!last) return []
  return Array.from({ length: count }, (_, at) => ({
    ...last,
    text: '',
    start: last.end,
    position: last.position + at + 1,
  }))
}
