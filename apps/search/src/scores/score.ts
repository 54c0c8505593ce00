import {
  all,
  type Field,
  type FieldPredicate,
  mapFields,
  none,
  type Pattern,
  type Predicate,
  type Value,
} from '@logstack/rules'
import { exactJson } from '../json/exact-json.ts'
import type { ScoreFunctions } from './score-functions.ts'

/**
 * What a query adds to a document's `_score`. `constant` is worth its value where its condition holds; `text` and `phrase` are BM25 over the
 * words of a text field; `exact` is the rarity of one value; `near` is BM25 over the words or values near one; `scaled` multiplies where its condition holds.
 */
export type Score =
  | { readonly op: 'constant'; readonly value: number; readonly when: Predicate }
  | {
      readonly op: 'text'
      readonly field: Field
      readonly token: string
      /** Words that stand for it: all are one word to the score, as rare as the most frequent of them. */
      readonly synonyms?: readonly string[]
      readonly boost: number
    }
  | {
      readonly op: 'phrase'
      readonly field: Field
      readonly tokens: readonly string[]
      /** How many moves apart the words may be; the further, the less they are worth. */
      readonly slop: number
      /** What a word behind the tokens begins with, where there must be one. */
      readonly start?: string
      /** Other ways to read the phrase, without a slop: it is there as often as all of them are. */
      readonly others?: readonly Reading[]
      readonly boost: number
    }
  /** `words` are all that there are near the one asked for, where they are known. */
  | {
      readonly op: 'near'
      readonly field: Field
      readonly pattern: Pattern
      readonly words?: readonly string[]
      readonly boost: number
    }
  /** BM25 of what a computed field counts, by the rarity of all words that were asked for. */
  | {
      readonly op: 'counted'
      readonly field: Field
      readonly tokens: readonly string[]
      readonly patterns: readonly Pattern[]
      readonly frequency: Field
      readonly boost: number
    }
  /** What a computed field counts, the more of it the nearer to 1. */
  | { readonly op: 'saturated'; readonly frequency: Field; readonly boost: number }
  /** What a function makes of a feature of the document. */
  | { readonly op: 'feature'; readonly field: Field; readonly shape: FeatureShape; readonly boost: number }
  | { readonly op: 'exact'; readonly field: Field; readonly value: Value; readonly boost: number }
  | { readonly op: 'sum'; readonly of: readonly Score[] }
  | { readonly op: 'max'; readonly of: readonly Score[]; readonly tie: number }
  | { readonly op: 'within'; readonly when: Predicate; readonly of: Score }
  /** A score that functions of the document's fields change. */
  | { readonly op: 'functions'; readonly functions: ScoreFunctions; readonly when: Predicate; readonly of: Score }
  | { readonly op: 'scaled'; readonly when: Predicate; readonly by: number; readonly of: Score }

/** The words of a phrase, and what one behind them begins with, where there must be one. */
export interface Reading {
  readonly tokens: readonly string[]
  readonly start?: string
}

/** A function of a feature, as Lucene's `FeatureField` has them. A saturation without a pivot has the middle of all features for one. */
export type FeatureShape =
  | { readonly kind: 'saturation'; readonly pivot: number | undefined }
  | { readonly kind: 'log'; readonly scalingFactor: number }
  | { readonly kind: 'sigmoid'; readonly pivot: number; readonly exponent: number }
  | { readonly kind: 'linear' }

/** What a field says that is computed for each document, in the place of what `of` would score. */
export function computedScore(field: Field, when: Predicate, of: Score): Score {
  const value = { kind: 'computed', field } as const
  return {
    op: 'functions',
    functions: {
      of: [{ when: all, weight: 1, value }],
      scoreMode: 'multiply',
      boostMode: 'replace',
      boostMax: Number.MAX_VALUE,
    },
    when,
    of,
  }
}

/** Nothing at all: what filters add. */
export const noScore: Score = { op: 'constant', value: 0, when: none }

/** A score times a boost. */
export function boosted(score: Score, boost: number): Score {
  if (boost === 1) return score
  switch (score.op) {
    case 'constant':
      return { ...score, value: score.value * boost }
    case 'text':
    case 'phrase':
    case 'exact':
    case 'near':
    case 'counted':
    case 'saturated':
    case 'feature':
      return { ...score, boost: score.boost * boost }
    case 'sum':
    case 'max':
      return { ...score, of: score.of.map((each) => boosted(each, boost)) }
    default:
      return { ...score, of: boosted(score.of, boost) }
  }
}

/** The score of a clause that says no more of it than its condition: BM25 of words and values, 1 for every other match. */
export function scoreOf(predicate: Predicate): Score {
  switch (predicate.op) {
    case 'tokens': {
      const { field, tokens } = predicate
      const sum: Score = { op: 'sum', of: tokens.map((token) => ({ op: 'text', field, token, boost: 1 })) }
      return predicate.count > 1 ? { op: 'within', when: predicate, of: sum } : sum
    }
    case 'phrase': {
      const { field, slop } = predicate
      const of: Score = { op: 'phrase', field, ...readingOf(predicate), slop, boost: 1 }
      return { op: 'within', when: predicate, of }
    }
    case 'pattern': {
      const { field, pattern } = predicate
      if (pattern.kind !== 'fuzzy' || !(field.type === 'text' || hasRarity(field))) break
      return { op: 'near', field, pattern, boost: 1 }
    }
    case 'equals': {
      const [value, second] = predicate.values
      if (!hasRarity(predicate.field) || value === undefined || second !== undefined) break
      return { op: 'exact', field: predicate.field, value, boost: 1 }
    }
    case 'and':
    case 'or':
    case 'at-least': {
      const sum: Score = { op: 'sum', of: predicate.of.map(scoreOf) }
      return predicate.op === 'or' ? sum : { op: 'within', when: predicate, of: sum }
    }
    case 'not':
    case 'none':
      return noScore
    default:
      break
  }
  return { op: 'constant', value: 1, when: predicate }
}

type PhrasePredicate = Predicate & { readonly op: 'phrase' }

function readingOf({ tokens, prefix }: PhrasePredicate): Reading {
  const start = prefix ? tokens.at(-1) : undefined
  return start === undefined ? { tokens } : { tokens: tokens.slice(0, -1), start }
}

/** The score of words of which each stands for the others. */
export function scoreOfSynonyms(field: Field, words: readonly string[]): Score {
  const [token = '', ...synonyms] = words
  return { op: 'text', field, token, ...(synonyms.length === 0 ? {} : { synonyms }), boost: 1 }
}

/** Ways to read a phrase up to which they score as one phrase: each is looked for in every text that is scored. */
const combinedReadingsMax = 8

/** The score of a phrase that can be read in several ways, as words of it stand for others: Lucene weighs it by the rarity of the words of all of them. */
export function scoreOfPhrase(predicate: Predicate): Score {
  const readings = predicate.op === 'or' ? predicate.of : []
  const phrases = readings.filter((each): each is PhrasePredicate => each.op === 'phrase' && each.slop === 0)
  const [first, ...others] = phrases
  const isOne = others.length > 0 && phrases.length === readings.length && phrases.length <= combinedReadingsMax
  if (!first || !isOne) return scoreOf(predicate)
  if (phrases.every(({ tokens, prefix }) => tokens.length === 1 && !prefix))
    return scoreOfSynonyms(
      first.field,
      phrases.flatMap(({ tokens }) => tokens),
    )
  const of: Score = {
    ...readingOf(first),
    op: 'phrase',
    field: first.field,
    slop: 0,
    others: others.map(readingOf),
    boost: 1,
  }
  return { op: 'within', when: predicate, of }
}

/** A score to which values of fields that are computed add the same, however rare they are: no index knows how many documents hold them. */
export function withoutRarity(score: Score, isComputed: (path: string) => boolean): Score {
  switch (score.op) {
    case 'exact':
    case 'near': {
      const { field, boost: value } = score
      if (!isComputed(field.path)) return score
      const when: Predicate =
        score.op === 'exact'
          ? { op: 'equals', field, values: [score.value] }
          : { op: 'pattern', field, pattern: score.pattern }
      return { op: 'constant', value, when }
    }
    case 'sum':
    case 'max': {
      const of = score.of.map((each) => withoutRarity(each, isComputed))
      return of.every((each, at) => each === score.of[at]) ? score : { ...score, of }
    }
    case 'within':
    case 'scaled':
    case 'functions': {
      const of = withoutRarity(score.of, isComputed)
      return of === score.of ? score : { ...score, of }
    }
    default:
      return score
  }
}

/** Whether Lucene keeps how many documents hold each value: of texts and truths, and not of ids. */
function hasRarity({ type, path }: Field): boolean {
  return (type === 'string' || type === 'boolean') && path !== '_id'
}

/** Most parts of a score that are computed; documents of a query with more all score 1. */
export const scorePartsMax = 100

/** How many parts of a score must be computed for every match. */
export function scoreParts(score: Score): number {
  if (score.op === 'sum' || score.op === 'max') return score.of.reduce((sum, each) => sum + scoreParts(each), 0)
  if (score.op === 'functions') return score.functions.of.length + scoreParts(score.of)
  return score.op === 'within' || score.op === 'scaled' ? 1 + scoreParts(score.of) : 1
}

/**
 * A score in which each condition on a field is another one that says the same, without the parts of what no document meets. One with more parts than are computed stays as it
 * is: it is known by their number.
 */
export function mapScoredFields(score: Score, map: (condition: FieldPredicate) => Predicate): Score {
  return scoreParts(score) > scorePartsMax ? score : mapParts(score, map)
}

function mapParts(score: Score, map: (condition: FieldPredicate) => Predicate): Score {
  switch (score.op) {
    case 'constant': {
      const when = mapFields(score.when, map)
      return when === score.when ? score : when.op === 'none' ? noScore : { ...score, when }
    }
    case 'counted':
    case 'saturated':
      return score
    case 'feature':
      return map({ op: 'present', field: score.field }).op === 'none' ? noScore : score
    case 'text':
    case 'phrase':
    case 'exact':
    case 'near':
      return mapWords(score, map)
    case 'sum':
    case 'max': {
      const of = score.of.map((each) => mapParts(each, map))
      if (of.every((each, at) => each === score.of[at])) return score
      const kept = of.filter((each) => each !== noScore)
      return kept.length === 0 ? noScore : { ...score, of: kept }
    }
    case 'within': {
      const when = mapFields(score.when, map)
      const of = mapParts(score.of, map)
      if (when.op === 'none' || of === noScore) return noScore
      return when === score.when && of === score.of ? score : { ...score, when, of }
    }
    case 'scaled':
    case 'functions': {
      const when = mapFields(score.when, map)
      const of = mapParts(score.of, map)
      return when === score.when && of === score.of ? score : { ...score, when, of }
    }
  }
}

/** The words of a part of a score that are one word to it. */
export function wordsOf({ token, synonyms = [] }: Extract<Score, { readonly op: 'text' }>): readonly string[] {
  return [token, ...synonyms]
}

function mapWords(
  part: Extract<Score, { readonly op: 'text' | 'phrase' | 'exact' | 'near' }>,
  map: (condition: FieldPredicate) => Predicate,
): Score {
  const { field } = part
  const isMet = (condition: FieldPredicate) => map(condition).op !== 'none'
  switch (part.op) {
    case 'text':
      return isMet({ op: 'tokens', field, tokens: wordsOf(part), count: 1 }) ? part : noScore
    case 'phrase': {
      const { tokens, others = [] } = part
      return others.length > 0 || tokens.length === 0 || isMet({ op: 'tokens', field, tokens, count: tokens.length })
        ? part
        : noScore
    }
    case 'exact':
      return isMet({ op: 'equals', field, values: [part.value] }) ? part : noScore
    case 'near': {
      const found = map({ op: 'pattern', field, pattern: part.pattern })
      if (found.op === 'none') return noScore
      return found.op === 'tokens' ? { ...part, words: found.tokens } : part
    }
  }
}

/** What a part of a score is worth where it holds; undefined while that is not known. */
export type Worth = (part: Extract<Score, { readonly op: 'exact' }>) => number | undefined

const unknownWorth: Worth = () => undefined

/**
 * The score when it is the same for all documents that match the query; undefined when it must be computed. The rarity of single values is known
 * only with their statistics: `worth` gives it.
 */
export function constantScore(score: Score, query: Predicate, worth: Worth = unknownWorth): number | undefined {
  if (score === noScore) return 0
  switch (score.op) {
    case 'constant':
      return alwaysHolds(score.when, query) ? score.value : undefined
    case 'exact':
      return alwaysEquals(score, query) ? worth(score) : undefined
    case 'within': {
      const value = constantScore(score.of, query, worth)
      return value === 0 || alwaysHolds(score.when, query) ? value : undefined
    }
    case 'sum':
      return constantsOf(score.of, query, worth)?.reduce((sum, each) => sum + each, 0)
    case 'max': {
      const values = constantsOf(score.of, query, worth)
      if (!values || values.length === 0) return values && 0
      const best = Math.max(...values)
      return best + score.tie * (values.reduce((sum, each) => sum + each, 0) - best)
    }
    default:
      return undefined
  }
}

/** The constants that the parts of a score are; undefined when one of them must be computed. */
function constantsOf(of: readonly Score[], query: Predicate, worth: Worth): readonly number[] | undefined {
  const values: number[] = []
  for (const each of of) {
    const value = constantScore(each, query, worth)
    if (value === undefined) return undefined
    values.push(value)
  }
  return values
}

/** The score of documents that match the query: conditions that all of those meet are not looked at again. */
export function scoreOfMatches(score: Score, query: Predicate): Score {
  if (score.op === 'within') {
    const of = scoreOfMatches(score.of, query)
    return alwaysHolds(score.when, query) ? of : { ...score, of }
  }
  if (score.op === 'sum' || score.op === 'max')
    return { ...score, of: score.of.map((each) => scoreOfMatches(each, query)) }
  return score
}

/** Whether a condition is one that every match of the query meets. */
function alwaysHolds(when: Predicate, query: Predicate): boolean {
  if (when.op === 'all' || when === query) return true
  if (when.op === query.op && written(when) === written(query)) return true
  if (query.op === 'and' && query.of.some((member) => alwaysHolds(when, member))) return true
  return when.op === 'and' && when.of.every((member) => alwaysHolds(member, query))
}

const texts = new WeakMap<Predicate, string>()

/** A condition as text, written once: hundreds of clauses are compared with hundreds. */
function written(predicate: Predicate): string {
  const known = texts.get(predicate) ?? String(exactJson(predicate))
  texts.set(predicate, known)
  return known
}

/** Whether every match of the query holds the value that a part of its score looks for. */
function alwaysEquals(part: Extract<Score, { readonly op: 'exact' }>, query: Predicate): boolean {
  if (query.op === 'and') return query.of.some((member) => alwaysEquals(part, member))
  if (query.op !== 'equals' || query.values.length !== 1) return false
  const { field, value } = part
  return query.field.path === field.path && query.field.type === field.type && query.values[0] === value
}
