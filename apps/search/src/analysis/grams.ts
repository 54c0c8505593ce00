import { illegalOption, type Options } from './options.ts'

/** Sizes of grams, in characters. */
export interface GramSizes {
  readonly min: number
  readonly max: number
}

/** `min_gram` and `max_gram`; throws when the first is greater. */
export function gramSizes(options: Options, otherwise: GramSizes): GramSizes {
  const min = options.whole('min_gram', otherwise.min)
  const max = options.whole('max_gram', Math.max(otherwise.max, options.has('max_gram') ? 0 : min))
  if (min < 1) throw illegalOption('minGram must be greater than zero')
  if (min > max) throw illegalOption('minGram must not be greater than maxGram')
  return { min, max }
}

/** A piece of a word and where it begins, in UTF-16 units. */
export interface Gram {
  readonly text: string
  readonly at: number
}

/** Every piece of a word of these sizes, by where it begins, shorter ones first; surrogate pairs stay whole. */
export function gramsOf(word: string, { min, max }: GramSizes, fromStartOnly: boolean): Gram[] {
  const characters = [...word]
  const grams: Gram[] = []
  let at = 0
  for (let from = 0; from < (fromStartOnly ? 1 : characters.length); from++) {
    for (let size = min; size <= max && from + size <= characters.length; size++)
      grams.push({ text: characters.slice(from, from + size).join(''), at })
    at += characters[from]?.length ?? 0
  }
  return grams
}
