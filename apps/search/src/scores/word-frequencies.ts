import { nearnessSql } from '../sql/pattern-to-sql.ts'
import { join, list, num, type Sql, sql, str } from '../sql/sql.ts'
import type { Reading, Score } from './score.ts'

// Everything here is said of `held`, an expression for the words of a text in their order.

/** What each word near another is worth: whether a word `t` is one, the most it can be worth, and what the length of the text takes from its frequency. */
export interface WordWeights {
  readonly matches: Sql
  readonly most: Sql
  readonly norm: Sql
}

/** The score of the words near one: each by its frequency, and the less the more letters differ. */
export function nearSql(
  { pattern }: Extract<Score, { readonly op: 'near' }>,
  { matches, most, norm }: WordWeights,
  held: Sql,
): Sql {
  const frequency = sql`countEqual(${held}, t)`
  const worth = sql`${most} * ${nearnessSql(pattern, sql`t`)} * ${frequency} / (${frequency} + ${norm})`
  return sql`arraySum(t -> ${worth}, arrayDistinct(arrayFilter(t -> ${matches}, ${held})))`
}

/** Words of a phrase up to which it is looked for word by word: what the engine thinks about a statement before it runs grows with its square. */
const shortPhraseMax = 8
/** Words of a phrase with a slop up to which the places of each are looked for. */
const sloppyPhraseMax = 64

type Phrase = Extract<Score, { readonly op: 'phrase' }>

/**
 * How often a phrase is in a text; where its words need not stand side by side, each time counts the less the further they are apart. One of more than
 * `sloppyPhraseMax` words, or with a word twice, counts as if they had to.
 */
export function phraseFrequency(phrase: Phrase, held: Sql): Sql {
  const { tokens, start, slop, others = [] } = phrase
  if (others.length > 0) {
    const times = [phrase, ...others].map((reading) => readingFrequency(reading, held))
    return sql`greatest(1, arraySum(${list(times)}))`
  }
  const count = tokens.length + (start === undefined ? 0 : 1)
  if (count === 0) return sql`1`
  const isSloppy = slop > 0 && count > 1 && count <= sloppyPhraseMax && new Set(tokens).size === tokens.length
  if (isSloppy) return sloppyFrequency(phrase, held)
  // Values of a list, which stand apart, are one text here: what was found in one of them is there.
  return sql`greatest(1, ${readingFrequency(phrase, held)})`
}

/** How often words stand side by side, among them what begins so behind them. */
function readingFrequency(reading: Reading, held: Sql): Sql {
  const { tokens, start } = reading
  const count = tokens.length + (start === undefined ? 0 : 1)
  if (count > shortPhraseMax) return longPhraseFrequency(reading, held)
  const begins = start === undefined ? undefined : sql`startsWith(w${num(tokens.length)}, ${str(start)})`
  const same = tokens.map((token, at) => sql`w${num(at)} = ${str(token)}`)
  const names = Array.from({ length: count }, (_, at) => sql`w${num(at)}`)
  const shifted = names.map((_, at) => (at === 0 ? held : sql`arrayShiftLeft(${held}, ${num(at)})`))
  const holds = join(begins ? [...same, begins] : same, ' AND ')
  return sql`arrayCount((${join(names, ', ')}) -> ${holds}, ${join(shifted, ', ')})`
}

function longPhraseFrequency({ tokens, start }: Reading, held: Sql): Sql {
  const [first = ''] = tokens
  const begins = sql`arrayFilter((p, t) -> t = ${str(first)}, arrayEnumerate(${held}), ${held})`
  const same = sql`arraySlice(${held}, at, ${num(tokens.length)}) = ${list(tokens.map(str))}`
  const goesOn =
    start === undefined ? same : sql`${same} AND startsWith(${held}[at + ${num(tokens.length)}], ${str(start)})`
  return sql`arrayCount(at -> ${goesOn}, ${begins})`
}

/**
 * As Lucene counts it: of the places of all words, each less its place in the phrase, one after the other, those that are the last of their word before another one are
 * the beginning of a match, which ends where the last of the others comes.
 */
function sloppyFrequency({ tokens, start, slop }: Phrase, held: Sql): Sql {
  const isWord = tokens.map((token) => sql`t = ${str(token)}`)
  const conditions = start === undefined ? isWord : [...isWord, sql`startsWith(t, ${str(start)})`]
  const places = conditions.map(
    (condition, place) =>
      sql`arrayMap(p -> toInt64(p) - ${num(place)}, arrayFilter((p, t) -> ${condition}, arrayEnumerate(${held}), ${held}))`,
  )
  // The places are bound once, and what is said of one word is said once for all: a statement that grew with the square of the words took a second to think about.
  const comesNext = sql`q > p OR (q = p AND place > at)`
  const soonest = sql`arrayMap((other, place) -> if(place = at, [], arraySlice(arrayFilter(q -> ${comesNext}, other), 1, 1)), places, arrayEnumerate(places))`
  const isLast = sql`NOT arrayExists(q -> q > p AND q <= arrayMin(others), own)`
  const isMatch = sql`length(others) = ${num(places.length - 1)} AND arrayMax(others) - p <= ${num(slop)} AND ${isLast}`
  const worth = sql`arrayMap(others -> if(${isMatch}, 1 / (1 + arrayMax(others) - p), 0.), [arrayFlatten(${soonest})])[1]`
  const sum = sql`arraySum(arrayMap((own, at) -> arraySum(p -> ${worth}, own), places, arrayEnumerate(places)))`
  return sql`greatest(${num(1 / (1 + slop))}, arrayMap(places -> ${sum}, [${list(places)}])[1])`
}
