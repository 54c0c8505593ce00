import type { Field, Predicate } from '@logstack/rules'
import type { Score } from './score.ts'
import { rarity, type Statistics, statisticsKey } from './score-statistics.ts'
import { partMax } from './score-to-sql.ts'

/** One word that a score ranks by. */
export interface ScoredWord {
  readonly field: Field
  readonly token: string
  /** What it is worth less than in every document. */
  readonly most: number
  /** The share of the sampled documents that hold it; never quite 0. */
  readonly share: number
}

/** A score of words, as far as it can be told without reading a text. */
export interface ScoreBounds {
  /** The words, the one that can be worth most first. */
  readonly words: readonly ScoredWord[]
  /** What everything else of the score is worth at most. */
  readonly rest: number
}

/**
 * What a document can score at most by the words that it holds. Undefined where the score is changed by more than what is added to it, or could be
 * less than nothing.
 */
export function scoreBounds(score: Score, statistics: Statistics): ScoreBounds | undefined {
  const words = new Map<string, ScoredWord>()
  const rest = addBounds(score, statistics, words)
  if (!(rest >= 0)) return undefined
  return { words: [...words.values()].sort((a, b) => b.most - a.most), rest }
}

/** Notes the words and gives what else is added at most; NaN where that is not known. The best of several is at most their sum. */
function addBounds(score: Score, statistics: Statistics, words: Map<string, ScoredWord>): number {
  switch (score.op) {
    case 'sum':
    case 'max':
      if (score.op === 'max' && !(score.tie >= 0 && score.tie <= 1)) return Number.NaN
      return score.of.reduce((sum, each) => sum + addBounds(each, statistics, words), 0)
    case 'within':
      return addBounds(score.of, statistics, words)
    case 'constant':
      return score.value >= 0 ? score.value : Number.NaN
    case 'exact':
      return score.boost >= 0 ? score.boost * rarity(score.field, score.value, statistics) : Number.NaN
    case 'phrase':
    case 'counted':
      return score.boost >= 0 ? partMax(score, statistics) : Number.NaN
    case 'saturated':
      return score.boost >= 0 ? score.boost : Number.NaN
    case 'text': {
      if (!(score.boost >= 0)) return Number.NaN
      if (score.synonyms) return partMax(score, statistics)
      const key = `${statisticsKey(score.field)} ${score.token}`
      const known = statistics.get(statisticsKey(score.field))
      const holding = Math.max(0.5, known?.holding.get(score.token) ?? 0)
      const most = partMax(score, statistics) + (words.get(key)?.most ?? 0)
      const share = Math.min(1, holding / Math.max(1, known?.documents ?? 0))
      words.set(key, { field: score.field, token: score.token, most, share })
      return 0
    }
    default:
      return Number.NaN
  }
}

/** Documents that hold some of the words, and what the others score at most. */
export interface BestWords {
  readonly predicate: Predicate
  readonly othersMost: number
  /** The share of all documents that hold them, by the sample, each word by itself. */
  readonly share: number
}

/** By how much a word in a text of average length is worth less than at most: the saturation plus one. */
const averageShare = 2.2
/** The best of many are worth that much more than the average one. */
const bestShare = 1.25
/** Words up to which those that hold two of them are looked for: a mention costs half a millisecond of planning. */
const pairedMax = 8

/**
 * Which documents are likely to be the best, of those that hold any of the words: those with a word so rare that nothing else matters beside it, or those with two
 * of them. Only a guess: whether the others are really worse is for the scores that are found to say.
 */
export function bestWords({ words, rest }: ScoreBounds, needed: number): BestWords | undefined {
  const all = words.reduce((sum, { share }) => sum + share, 0)
  const choices = [...rarest(words, rest), ...twoOf(words, rest)]
  return choices.find(({ share }) => share >= needed && share <= all / 2)
}

function rarest(words: readonly ScoredWord[], rest: number): BestWords[] {
  return words.slice(0, -1).flatMap((word, last) => {
    const chosen = words.slice(0, last + 1)
    const othersMost = rest + words.slice(last + 1).reduce((sum, { most }) => sum + most, 0)
    if (othersMost >= word.most / averageShare) return []
    const share = chosen.reduce((sum, each) => sum + each.share, 0)
    return [{ predicate: { op: 'or', of: chosen.map(holds) }, othersMost, share }]
  })
}

function twoOf(words: readonly ScoredWord[], rest: number): BestWords[] {
  const [first, second] = words
  if (!first || !second || words.length > pairedMax) return []
  const othersMost = rest + first.most
  if (othersMost >= (bestShare * (first.most + second.most)) / averageShare) return []
  const pairs = words.slice(0, -1).map((word, at) => ({ word, later: words.slice(at + 1) }))
  const of = pairs.map(
    ({ word, later }): Predicate => ({
      op: 'and',
      of: [holds(word), later.length === 1 ? holds(later[0] as ScoredWord) : { op: 'or', of: later.map(holds) }],
    }),
  )
  const share = pairs.reduce(
    (sum, { word, later }) => sum + later.reduce((all, one) => all + word.share * one.share, 0),
    0,
  )
  return [{ predicate: { op: 'or', of }, othersMost, share }]
}

function holds({ field, token }: ScoredWord): Predicate {
  return { op: 'tokens', field, tokens: [token], count: 1 }
}
