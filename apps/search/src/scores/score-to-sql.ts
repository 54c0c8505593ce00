import type { Field } from '@logstack/rules'
import { featureOfBits } from '../indices/field-types/feature-value.ts'
import { type ColumnLookup, columnsOf, predicateSql, truth } from '../sql/predicate-to-sql.ts'
import { ident, join, list, num, type Sql, sql, str } from '../sql/sql.ts'
import { type Score, wordsOf as wordsOfText } from './score.ts'
import { scoreFunctionsSql } from './score-functions-to-sql.ts'
import {
  type FieldStatistics,
  featureKey,
  featureSql,
  heldValues,
  heldWords,
  inverseFrequency,
  matchesTerm,
  rarity,
  type ScoredTerm,
  type Statistics,
  statisticsKey,
  termKey,
  termsOf,
  wordCount,
} from './score-statistics.ts'
import { nearSql, phraseFrequency, type WordWeights } from './word-frequencies.ts'

/** BM25's parameters as Lucene has them; its scores are scaled by the first plus one. */
const saturation = 1.2
const lengthShare = 0.75

/** What parts of a score are said with. */
interface Scoring {
  readonly statistics: Statistics
  readonly lookup: ColumnLookup
  /** By `statisticsKey`. */
  readonly bound: ReadonlyMap<string, BoundWords>
}

/** The words of a field under a name, and what the length of the text takes from their frequency. */
interface BoundWords {
  readonly held: Sql
  readonly norm: Sql
}

/**
 * A score as an expression over the rows of one table; never NULL. Where it asks for words at several places, as one does of four words that may each be in any of
 * twelve fields, those of each field are bound once for all of it: the engine thought twice as long about a statement that said at each place how they are cut.
 */
export function scoreSql(score: Score, statistics: Statistics, lookup: ColumnLookup): Sql {
  const places = placesOf(score)
  const several = places.length > 1 ? places : []
  const fields = new Map(several.map((field) => [statisticsKey(field), field]))
  const bound = new Map<string, BoundWords>()
  const said: BoundWords[] = []
  for (const [key, field] of fields) {
    const words = wordsOf(field, statistics, lookup)
    if (!words) continue
    const held = ident(`held_${said.length}`)
    bound.set(key, { held, norm: ident(`norm_${said.length}`) })
    said.push({ held: words.held, norm: words.normOf(held) })
  }
  const whole = partSql(score, { statistics, lookup, bound })
  if (said.length === 0) return whole
  const bind = (of: keyof BoundWords, inner: Sql) => {
    const names = [...bound.values()].map((words) => words[of])
    return sql`arrayMap((${join(names, ', ')}) -> ${inner}, ${join(
      said.map((words) => list([words[of]])),
      ', ',
    )})[1]`
  }
  return bind('held', bind('norm', whole))
}

/** The fields of the places of a score that words are asked for at: all of one field that stand together are one place. */
function placesOf(score: Score): readonly Field[] {
  const field = wordsField(score)
  if (field) return [field]
  if (score.op === 'sum' || score.op === 'max') return score.of.flatMap(placesOf)
  return 'of' in score ? placesOf(score.of) : []
}

function partSql(score: Score, scoring: Scoring): Sql {
  const { statistics, lookup } = scoring
  const inner = (each: Score) => partSql(each, scoring)
  const field = wordsField(score)
  if (field) return wordsSql(score, field, scoring)
  switch (score.op) {
    case 'constant':
      return score.value === 0
        ? sql`0.`
        : sql`if(${truth(predicateSql(score.when, lookup))}, ${double(score.value)}, 0.)`
    case 'sum':
    case 'max':
      return joinedSql(score, inner)
    case 'within':
      return sql`if(${truth(predicateSql(score.when, lookup))}, ${inner(score.of)}, 0.)`
    case 'functions': {
      const changed = scoreFunctionsSql(score.functions, inner(score.of), lookup)
      return score.when.op === 'all' ? changed : sql`if(${truth(predicateSql(score.when, lookup))}, ${changed}, 0.)`
    }
    case 'scaled':
      return sql`(${inner(score.of)} * if(${truth(predicateSql(score.when, lookup))}, ${double(score.by)}, 1.))`
    case 'near':
      return nearValues(score, statistics, lookup)
    case 'saturated': {
      const count = sql`toFloat64(ifNull(${columnsOf(score.frequency, lookup)?.one ?? sql`0`}, 0))`
      return sql`(${double(score.boost)} * ${count} / (1 + ${count}))`
    }
    case 'feature':
      return featureScore(score, scoring)
    case 'exact': {
      const holds = truth(predicateSql({ op: 'equals', field: score.field, values: [score.value] }, lookup))
      return sql`if(${holds}, ${double(exactWorth(score, statistics))}, 0.)`
    }
    default:
      throw new Error('BUG: a score of words has no field')
  }
}

/** The score of a feature, 0 where there is none. Written so that rounding never makes more of it worth less. */
function featureScore(
  { field, shape, boost }: Extract<Score, { readonly op: 'feature' }>,
  { statistics, lookup }: Scoring,
): Sql {
  const columns = columnsOf(field, lookup)
  if (!columns) return sql`0.`
  const weight = double(boost)
  const share = (part: Sql, middle: Sql) => sql`${weight} * (1 - ${middle} / (${part} + ${middle}))`
  const worth = (): Sql => {
    switch (shape.kind) {
      case 'linear':
        return sql`${weight} * feature`
      case 'log':
        return sql`${weight} * log(${double(shape.scalingFactor)} + feature)`
      case 'sigmoid':
        return share(sql`pow(feature, ${double(shape.exponent)})`, double(shape.pivot ** shape.exponent))
      case 'saturation': {
        const pivot = single(double(shape.pivot ?? middleFeature(statistics.get(featureKey(field)))))
        const rest = single(sql`${pivot} / ${single(sql`feature + ${pivot}`)}`)
        return single(sql`${weight} * ${single(sql`1 - ${rest}`)}`)
      }
    }
  }
  return sql`arrayMap(feature -> if(feature > 0, ${worth()}, 0.), [${featureSql(field, columns)}])[1]`
}

/** Single precision, of which Lucene makes each step of a saturation. */
function single(value: Sql): Sql {
  return sql`toFloat32(${value})`
}

/** The feature in the middle of all: that of the average of the bits they are kept in. */
function middleFeature(known: FieldStatistics | undefined): number {
  return known && known.documents > 0 ? featureOfBits(Math.fround(known.words / known.documents)) : 1
}

function joinedSql(score: Extract<Score, { readonly op: 'sum' | 'max' }>, inner: (each: Score) => Sql): Sql {
  const [only, second] = score.of
  if (!only) return sql`0.`
  // The sum and the best of one are that one.
  if (!second) return inner(only)
  const all = list(score.of.map(inner))
  if (score.op === 'sum') return sql`arraySum(${all})`
  if (score.tie === 0) return sql`arrayMax(${all})`
  return sql`(arrayMax(${all}) + ${double(score.tie)} * (arraySum(${all}) - arrayMax(${all})))`
}

/** The field whose words are all that a score depends on. */
function wordsField(score: Score): Field | undefined {
  if (score.op === 'text' || score.op === 'phrase' || score.op === 'counted') return score.field
  if (score.op === 'near') return score.field.type === 'text' ? score.field : undefined
  if (score.op !== 'sum' && score.op !== 'max') return undefined
  const [field, ...others] = score.of.map(wordsField)
  return field && others.every((other) => other && statisticsKey(other) === statisticsKey(field)) ? field : undefined
}

/** The words of a field, and what their number takes from their frequency; undefined where no text has a word, and so no length to compare with. */
function wordsOf(field: Field, statistics: Statistics, lookup: ColumnLookup) {
  const columns = columnsOf(field, lookup)
  const known = statistics.get(statisticsKey(field))
  if (!columns || !known || known.documents === 0 || known.words === 0) return undefined
  const average = known.words / known.documents
  const normOf = (held: Sql) =>
    sql`${num(saturation)} * (${num(1 - lengthShare)} + ${num(lengthShare / average)} * ${keptLength(wordCount(columns, held))})`
  return { held: heldWords(columns), normOf }
}

/**
 * The score by the words of one field. They are bound once for all of its parts: a text is split once, and what the engine must think about before it
 * reads anything (ten milliseconds of a processor for a part that says everything itself) is less.
 */
function wordsSql(score: Score, field: Field, { statistics, lookup, bound }: Scoring): Sql {
  const words = wordsOf(field, statistics, lookup)
  if (!words) return sql`0.`
  const outer = bound.get(statisticsKey(field))
  const { held, norm } = outer ?? { held: sql`held`, norm: words.normOf(sql`held`) }
  const inner = (each: Score): Sql => {
    if (each.op === 'sum' || each.op === 'max') return joinedSql(each, inner)
    const most = double(partMax(each, statistics))
    if (each.op === 'near') return nearSql(each, weightsOf(each, most, norm), held)
    const frequency = frequencySql(each, lookup, held)
    if (each.op === 'text') return sql`(${most} * ${frequency} / (${frequency} + ${norm}))`
    return sql`arrayMap(f -> ${most} * f / (f + ${norm}), [${frequency}])[1]`
  }
  return outer ? inner(score) : sql`arrayMap(held -> ${inner(score)}, [${words.held}])[1]`
}

function weightsOf({ words, pattern }: Extract<Score, { readonly op: 'near' }>, most: Sql, norm: Sql): WordWeights {
  return { matches: matchesTerm({ ...pattern, words }), most, norm }
}

/** The score of the values of a keyword that are near one: each counts as a text of one word. */
function nearValues(part: Extract<Score, { readonly op: 'near' }>, statistics: Statistics, lookup: ColumnLookup): Sql {
  const columns = columnsOf(part.field, lookup)
  if (!columns) return sql`0.`
  const norm = valueNorm(statistics.get(statisticsKey(part.field)))
  const weights = weightsOf(part, double(partMax(part, statistics)), double(norm))
  return sql`arrayMap(held -> ${nearSql(part, weights, sql`held`)}, [${heldValues(columns)}])[1]`
}

/** How often a word or a phrase is in the words of a document, or how much of it a computed field counts. */
function frequencySql(part: Score, lookup: ColumnLookup, held: Sql): Sql {
  if (part.op === 'text') {
    const [only, ...others] = wordsOfText(part).map((word) => sql`countEqual(${held}, ${str(word)})`)
    return only && others.length === 0 ? only : sql`arraySum(${list([...(only ? [only] : []), ...others])})`
  }
  if (part.op === 'counted') return sql`toFloat64(ifNull(${columnsOf(part.frequency, lookup)?.one ?? sql`0`}, 0))`
  return part.op === 'phrase' ? phraseFrequency(part, held) : sql`1`
}

/** What a part of words is worth less than in every document: it comes near in one that says little else. */
export function partMax(part: Score, statistics: Statistics): number {
  if (part.op === 'exact' || !('field' in part)) throw new Error('BUG: a score of words has other parts')
  const synonyms = part.op === 'text' && part.synonyms !== undefined
  const weight = synonyms ? weightOfSynonyms(part, statistics) : weightOfTerms(part, statistics)
  return part.boost * weight * (saturation + 1)
}

/** Words that stand for each other are as rare as the most frequent of them. */
function weightOfSynonyms(part: Extract<Score, { readonly op: 'text' }>, statistics: Statistics): number {
  const known = statistics.get(statisticsKey(part.field))
  return inverseFrequency(known, Math.max(...wordsOfText(part).map((word) => known?.holding.get(word) ?? 0)))
}

function weightOfTerms(part: Extract<Score, { readonly field: Field }>, statistics: Statistics): number {
  return termsOf(part).reduce<number>((sum, term) => sum + weightOf(part, term, statistics), 0)
}

function weightOf(part: Extract<Score, { readonly field: Field }>, term: ScoredTerm, statistics: Statistics): number {
  const known = statistics.get(statisticsKey(part.field))
  if (typeof term === 'object') {
    const counts = known?.matching.get(termKey(term)) ?? []
    // What is near a word counts as the most frequent of all that are.
    if (part.op === 'near') return counts.length === 0 ? 0 : inverseFrequency(known, Math.max(...counts))
    return counts.reduce((sum, count) => sum + inverseFrequency(known, count), 0)
  }
  // A word that no document has is none of those that spans ask for, as phrases that can be read in several ways are.
  const isSpan = part.op === 'counted' || (part.op === 'phrase' && part.others !== undefined)
  return isSpan && !known?.holding.get(String(term)) ? 0 : rarity(part.field, term, statistics)
}

/** The lengths that Lucene can tell apart, up to that of the longest text: four significant bits beyond 24. */
const keptLengths = list(
  Array.from({ length: 24 + 8 * 24 }, (_, at) => {
    if (at < 24 + 8) return num(at)
    const shift = Math.floor((at - 24) / 8) - 1
    return num(24 + (8 + ((at - 24) % 8)) * 2 ** shift)
  }),
)

/** The length as Lucene keeps it. */
function keptLength(length: Sql): Sql {
  return sql`roundDown(${length}, ${keptLengths})`
}

/** What a document that holds a value scores for its rarity: a value counts as a text of one word, the less the fewer values others hold. */
export function exactWorth(
  { field, value, boost }: Extract<Score, { readonly op: 'exact' }>,
  statistics: Statistics,
): number {
  const norm = valueNorm(statistics.get(statisticsKey(field)))
  return (boost * rarity(field, value, statistics) * (saturation + 1)) / (1 + norm)
}

/** What the length of a value takes from its frequency: it is a text of one word beside others of as many as they have values. */
function valueNorm(known: FieldStatistics | undefined): number {
  const average = known && known.documents > 0 ? Math.max(1, known.words / known.documents) : 1
  return saturation * (1 - lengthShare + lengthShare / average)
}

function double(value: number): Sql {
  return sql`toFloat64(${num(value)})`
}
