import type { FilterTokens } from '../../tokens/token.ts'

/** A filter that changes each word for itself. */
export function mapWords(change: (word: string) => string): FilterTokens {
  return (tokens) => tokens.map((token) => ({ ...token, text: change(token.text) }))
}

/** Letters of the longest word that a stemmer looks at: no language has longer ones, and stemmers take a time that grows with their square. */
const stemmedLettersMax = 1_000

/** A filter that changes each word for itself but those marked as keywords. */
export function stemWords(stem: (word: string) => string): FilterTokens {
  return (tokens) =>
    tokens.map((token) =>
      token.keyword === true || token.text.length > stemmedLettersMax ? token : { ...token, text: stem(token.text) },
    )
}

/** A filter that keeps some words; where one went a gap stays. */
export function keepWords(keeps: (word: string, type: string) => boolean): FilterTokens {
  return (tokens) => tokens.filter((token) => keeps(token.text, token.type))
}
