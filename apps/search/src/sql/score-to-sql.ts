import type { Field, Pattern, Value } from '@logstack/rules'
import type { Score } from '../dsl/score.ts'
import type { FieldColumns } from './field-columns.ts'
import { matchSql } from './pattern-to-sql.ts'
import { type ColumnLookup, columnsOf, predicateSql, truth } from './predicate-to-sql.ts'
import { scoreFunctionsSql } from './score-functions-to-sql.ts'
import { list, num, type Sql, sql, str } from './sql.ts'
import { tokensOf, tokensOfMany } from './text-tokens.ts'
import { nearSql, phraseFrequency, type WordWeights } from './word-frequencies.ts'

/** BM25's parameters as Lucene has them; its scores are scaled by the first plus one. */
const saturation = 1.2
const lengthShare = 0.75

/** What BM25 knows of a field: documents that have it, its words in all of them, and how many documents hold each word or value. */
export interface FieldStatistics {
  readonly documents: number
  readonly words: number
  readonly holding: ReadonlyMap<string, number>
  /** How many documents hold each of the words or values that a pattern matches, by `termKey`. */
  readonly matching: ReadonlyMap<string, readonly number[]>
}

/** A word or value whose rarity a score asks for, or a pattern: all that it matches. */
export type ScoredTerm = Value | (Pattern & { readonly words?: readonly string[] | undefined })

/** The name of a term among the statistics of its field. */
function termKey(term: ScoredTerm): string {
  if (typeof term !== 'object') return String(term)
  const { kind, text, caseInsensitive, edits, prefixLength, transpositions } = term
  return JSON.stringify([kind, text, caseInsensitive, edits, prefixLength, transpositions])
}

/** What the start of a word in a phrase stands for. */
function startPattern(text: string): Pattern {
  return { kind: 'prefix', text, caseInsensitive: false }
}

/** Statistics by `statisticsKey`. */
export type Statistics = ReadonlyMap<string, FieldStatistics>

/** The name of a field's statistics. */
export function statisticsKey({ path, type }: Field): string {
  return `${type} ${path}`
}

/** The words and values a score needs to know the rarity of, by field. */
export function wantedTerms(score: Score, found = new Map<string, { field: Field; terms: Map<string, ScoredTerm> }>()) {
  if (score.op === 'sum' || score.op === 'max') for (const each of score.of) wantedTerms(each, found)
  else if ('of' in score) wantedTerms(score.of, found)
  else if ('field' in score) {
    const { field } = score
    const known = found.get(statisticsKey(field)) ?? { field, terms: new Map<string, ScoredTerm>() }
    found.set(statisticsKey(field), known)
    for (const term of termsOf(score)) known.terms.set(termKey(term), term)
  }
  return found
}

/** The words, values and patterns that a part of a score asks the rarity of. */
function termsOf(part: Extract<Score, { readonly field: Field }>): readonly ScoredTerm[] {
  switch (part.op) {
    case 'text':
      return [part.token]
    case 'phrase':
      return part.start === undefined ? part.tokens : [...part.tokens, startPattern(part.start)]
    case 'exact':
      return [part.value]
    case 'near':
      return [{ ...part.pattern, words: part.words }]
    case 'counted':
      return [...part.tokens, ...part.patterns]
  }
}

/** The cells that count a field: documents, words, then documents a term, of a pattern those of each word it matches. */
export function statisticsCells(field: Field, terms: readonly ScoredTerm[], lookup: ColumnLookup): Sql[] {
  const columns = columnsOf(field, lookup)
  if (!columns) return [sql`0`, sql`0`, ...terms.map((term) => (typeof term === 'object' ? sql`[]` : sql`0`))]
  const present =
    field.type === 'text' ? sql`notEmpty(${heldWords(columns)})` : truth(predicateSql({ op: 'present', field }, lookup))
  const counted = (term: ScoredTerm) =>
    typeof term === 'object' ? matchingCounts(term, field, columns) : sql`countIf(${holds(term)})`
  const holds = (term: Value) =>
    truth(
      predicateSql(
        field.type === 'text'
          ? { op: 'tokens', field, tokens: [String(term)], count: 1 }
          : { op: 'equals', field, values: [term] },
        lookup,
      ),
    )
  const words = field.type === 'text' ? sql`sum(length(${heldWords(columns)}))` : valuesCount(columns, present)
  return [sql`countIf(${present})`, words, ...terms.map(counted)]
}

/** Words up to which those that a pattern matches are counted one by one, by their letters: `max_expansions` as it is unless said otherwise. */
const matchingMax = 50

function matchingCounts(term: Exclude<ScoredTerm, Value>, field: Field, columns: FieldColumns): Sql {
  const values = field.type === 'text' ? heldWords(columns) : heldValues(columns)
  const found = sql`arrayDistinct(arrayFilter(t -> ${matchesTerm(term)}, ${values}))`
  return sql`arraySlice(tupleElement(sumMap(${found}, arrayMap(t -> 1, ${found})), 2), 1, ${num(matchingMax)})`
}

/** Whether the word or value `t` is one that a pattern matches. */
function matchesTerm({ words, ...pattern }: Exclude<ScoredTerm, Value>): Sql {
  return words === undefined ? matchSql(pattern, sql`t`) : sql`has(${list(words.map(str))}, t)`
}

/** The values of a field of texts that are no words. */
function heldValues({ one, many }: FieldColumns): Sql {
  const single = sql`if(isNull(${one}), [], [assumeNotNull(toString(${one}))])`
  return many ? sql`if(empty(${many}), ${single}, arrayDistinct(${many}))` : single
}

/** The values of a field in all documents; one that a document holds twice is one. */
function valuesCount({ many }: FieldColumns, present: Sql): Sql {
  if (!many) return sql`countIf(${present})`
  return sql`sum(if(empty(${many}), toUInt64(${present}), length(arrayDistinct(${many}))))`
}

function heldWords(columns: FieldColumns): Sql {
  const one = tokensOf(columns.one, columns.cut)
  return columns.many ? sql`if(empty(${columns.many}), ${one}, ${tokensOfMany(columns.many)})` : one
}

/** A score as an expression over the rows of one table; never NULL. */
export function scoreSql(score: Score, statistics: Statistics, lookup: ColumnLookup): Sql {
  const inner = (each: Score) => scoreSql(each, statistics, lookup)
  const field = wordsField(score)
  if (field) return wordsSql(score, field, statistics, lookup)
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
    case 'exact': {
      const holds = truth(predicateSql({ op: 'equals', field: score.field, values: [score.value] }, lookup))
      return sql`if(${holds}, ${double(exactWorth(score, statistics))}, 0.)`
    }
    default:
      throw new Error('BUG: a score of words has no field')
  }
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

/**
 * The score by the words of one field. They are bound once for all of its parts: a text is split once, and what the engine must think about before it
 * reads anything (ten milliseconds of a processor for a part that says everything itself) is less.
 */
function wordsSql(score: Score, field: Field, statistics: Statistics, lookup: ColumnLookup): Sql {
  const columns = columnsOf(field, lookup)
  const known = statistics.get(statisticsKey(field))
  // A field whose texts are all without a word has no average length to compare with.
  if (!columns || !known || known.documents === 0 || known.words === 0) return sql`0.`
  const average = known.words / known.documents
  const norm = sql`${num(saturation)} * (${num(1 - lengthShare)} + ${num(lengthShare / average)} * ${keptLength(sql`length(held)`)})`
  const inner = (each: Score): Sql => {
    if (each.op === 'sum' || each.op === 'max') return joinedSql(each, inner)
    const most = double(partMax(each, statistics))
    if (each.op === 'near') return nearSql(each, weightsOf(each, most, norm))
    const frequency = frequencySql(each, lookup)
    return sql`arrayMap(f -> ${most} * f / (f + ${norm}), [${frequency}])[1]`
  }
  return sql`arrayMap(held -> ${inner(score)}, [${heldWords(columns)}])[1]`
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
  return sql`arrayMap(held -> ${nearSql(part, weights)}, [${heldValues(columns)}])[1]`
}

/** How often a word or a phrase is in the words of a document, or how much of it a computed field counts. */
function frequencySql(part: Score, lookup: ColumnLookup): Sql {
  if (part.op === 'text') return sql`countEqual(held, ${str(part.token)})`
  if (part.op === 'counted') return sql`toFloat64(ifNull(${columnsOf(part.frequency, lookup)?.one ?? sql`0`}, 0))`
  return part.op === 'phrase' ? phraseFrequency(part) : sql`1`
}

/** What a part of words is worth less than in every document: it comes near in one that says little else. */
export function partMax(part: Score, statistics: Statistics): number {
  if (part.op === 'exact' || !('field' in part)) throw new Error('BUG: a score of words has other parts')
  const weight = termsOf(part).reduce<number>((sum, term) => sum + weightOf(part, term, statistics), 0)
  return part.boost * weight * (saturation + 1)
}

function weightOf(part: Extract<Score, { readonly field: Field }>, term: ScoredTerm, statistics: Statistics): number {
  const known = statistics.get(statisticsKey(part.field))
  if (typeof term === 'object') {
    const counts = known?.matching.get(termKey(term)) ?? []
    // What is near a word counts as the most frequent of all that are.
    if (part.op === 'near') return counts.length === 0 ? 0 : inverseFrequency(known, Math.max(...counts))
    return counts.reduce((sum, count) => sum + inverseFrequency(known, count), 0)
  }
  // A word that no document has is none of those that spans ask for.
  return part.op === 'counted' && !known?.holding.get(String(term)) ? 0 : rarity(part.field, term, statistics)
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

/** The inverse document frequency. */
export function rarity(field: Field, term: Value, statistics: Statistics): number {
  const known = statistics.get(statisticsKey(field))
  return inverseFrequency(known, known?.holding.get(String(term)) ?? 0)
}

function inverseFrequency(known: FieldStatistics | undefined, holding: number): number {
  const documents = known?.documents ?? 0
  const most = Math.min(holding, documents)
  return Math.log(1 + (documents - most + 0.5) / (most + 0.5))
}

function double(value: number): Sql {
  return sql`toFloat64(${num(value)})`
}
