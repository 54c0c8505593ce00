import { illegalOption, type Options } from './options.ts'

/** Sizes of grams, in characters. */
export interface GramSizes {
  readonly min: number
  readonly max: number
}

/** Pieces of one word at most. */
const gramsMax = 250_000

/** `min_gram` and `max_gram`; throws when the first is greater, and where pieces from everywhere may be of more sizes than the index allows. */
export function gramSizes(options: Options, otherwise: GramSizes, fromStartOnly: boolean): GramSizes {
  const min = options.whole('min_gram', otherwise.min)
  const max = options.whole('max_gram', Math.max(otherwise.max, options.has('max_gram') ? 0 : min))
  if (min < 1) throw illegalOption('minGram must be greater than zero')
  if (min > max) throw illegalOption('minGram must not be greater than maxGram')
  const most = options.limits.ngramDiff
  if (!fromStartOnly && max - min > most)
    throw illegalOption(
      `The difference between max_gram and min_gram in NGram Tokenizer must be less than or equal to: [${most}] but was [${max - min}]. This limit can be set by changing the [index.max_ngram_diff] index level setting.`,
    )
  return { min, max }
}

/** A piece of a word and where it begins, in UTF-16 units. */
export interface Gram {
  readonly text: string
  readonly at: number
}

/** Every piece of a word of these sizes, by where it begins, shorter ones first; surrogate pairs stay whole. Throws where they are too many. */
export function gramsOf(word: string, { min, max }: GramSizes, fromStartOnly: boolean): Gram[] {
  // Where each character begins, and the end.
  const places: number[] = []
  let end = 0
  for (const character of word) {
    places.push(end)
    end += character.length
  }
  places.push(end)
  const grams: Gram[] = []
  for (const [from, at] of places.slice(0, fromStartOnly ? 1 : -1).entries()) {
    for (let size = min; size <= max && from + size < places.length; size++)
      grams.push({ text: word.slice(at, places[from + size]), at })
    if (grams.length > gramsMax)
      throw illegalOption(`a word of [${word.length}] letters has more than [${gramsMax}] pieces`)
  }
  return grams
}
