import type { Field, Pattern, Value } from '@logstack/rules'
import type { FieldColumns } from '../sql/field-columns.ts'
import { matchSql } from '../sql/pattern-to-sql.ts'
import { type ColumnLookup, columnsOf, predicateSql, truth } from '../sql/predicate-to-sql.ts'
import { list, num, type Sql, sql, str } from '../sql/sql.ts'
import { tokensOf, tokensOfMany } from '../sql/text-tokens.ts'
import { encodedMarks } from '../tokens/column-words.ts'
import { type Score, wordsOf } from './score.ts'

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
export function termKey(term: ScoredTerm): string {
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

/** The name of the statistics of a feature: `words` of them is the sum of the bits that features are kept in. */
export function featureKey(field: Field): string {
  return `feature ${statisticsKey(field)}`
}

/** The words and values a score needs to know the rarity of, by field. */
export function wantedTerms(score: Score, found = new Map<string, { field: Field; terms: Map<string, ScoredTerm> }>()) {
  if (score.op === 'sum' || score.op === 'max') for (const each of score.of) wantedTerms(each, found)
  else if ('of' in score) wantedTerms(score.of, found)
  else if (score.op === 'feature') {
    const needed = score.shape.kind === 'saturation' && score.shape.pivot === undefined
    if (needed) found.set(featureKey(score.field), { field: score.field, terms: new Map() })
  } else if ('field' in score) {
    const { field } = score
    const known = found.get(statisticsKey(field)) ?? { field, terms: new Map<string, ScoredTerm>() }
    found.set(statisticsKey(field), known)
    for (const term of termsOf(score)) known.terms.set(termKey(term), term)
  }
  return found
}

/** The words, values and patterns that a part of a score asks the rarity of. */
export function termsOf(part: Extract<Score, { readonly field: Field }>): readonly ScoredTerm[] {
  switch (part.op) {
    case 'text':
      return wordsOf(part)
    case 'phrase': {
      const readings = [part, ...(part.others ?? [])]
      const words = readings.flatMap(({ tokens }) => tokens).filter((token) => token !== encodedMarks.gap)
      const starts = new Set(readings.flatMap(({ start }) => (start === undefined ? [] : [start])))
      return [...(part.others ? new Set(words) : words), ...[...starts].map(startPattern)]
    }
    case 'exact':
      return [part.value]
    case 'near':
      return [{ ...part.pattern, words: part.words }]
    case 'counted':
      return [...part.tokens, ...part.patterns]
    case 'feature':
      return []
  }
}

/** The cells that count a field: documents, words, how many documents hold each term, and of each pattern the same of each word it matches. */
export function statisticsCells(field: Field, terms: readonly ScoredTerm[], lookup: ColumnLookup): Sql[] {
  const columns = columnsOf(field, lookup)
  const isPattern = (term: ScoredTerm) => typeof term === 'object'
  if (!columns) return [sql`[0, 0]`, ...terms.filter(isPattern).map(() => sql`[]`)]
  const values = terms.filter((term): term is Value => typeof term !== 'object')
  const patterns = terms.filter((term) => typeof term === 'object')
  const counted = field.type === 'text' ? countedWords(values, columns) : countedValues(field, values, columns, lookup)
  return [counted, ...patterns.map((pattern) => matchingCounts(pattern, field, columns))]
}

/** A text is cut once for all that is counted of it: the engine thinks a millisecond about each mention of the expression that cuts. */
function countedWords(words: readonly Value[], columns: FieldColumns): Sql {
  const holds = words.map((word) => sql`toUInt64(has(held, ${str(String(word))}))`)
  const counts = list([sql`toUInt64(notEmpty(held))`, wordCount(columns, sql`held`), ...holds])
  return sql`sumForEach(arrayMap(held -> ${counts}, [${heldWords(columns)}])[1])`
}

function countedValues(field: Field, values: readonly Value[], columns: FieldColumns, lookup: ColumnLookup): Sql {
  const present = truth(predicateSql({ op: 'present', field }, lookup))
  const holds = values.map(
    (value) => sql`countIf(${truth(predicateSql({ op: 'equals', field, values: [value] }, lookup))})`,
  )
  return list([sql`countIf(${present})`, valuesCount(columns, present), ...holds])
}

/** The same of a feature. */
export function featureCells(field: Field, lookup: ColumnLookup): Sql[] {
  const columns = columnsOf(field, lookup)
  if (!columns) return [sql`[0, 0]`]
  const value = featureSql(field, columns)
  return [sql`[countIf(${value} > 0), sum(toUInt64(bitShiftRight(reinterpretAsUInt32(toFloat32(${value})), 15)))]`]
}

/** The feature of a document, 0 where it has none. Of documents of nested objects, which may have several, it is the first. */
export function featureSql({ type }: Field, { one, many }: FieldColumns): Sql {
  const number = (value: Sql) =>
    type === 'string' ? sql`toFloat64OrZero(toString(${value}))` : sql`toFloat64(${value})`
  const single = sql`ifNull(${number(sql`assumeNotNull(${one})`)}, 0.)`
  const alone = sql`if(isNull(${one}), 0., ${single})`
  return many ? sql`if(empty(${many}), ${alone}, ${number(sql`${many}[1]`)})` : alone
}

/** What the cells of `statisticsCells` counted, for the same terms. */
export function readStatistics(terms: ReadonlyMap<string, ScoredTerm>, cells: readonly unknown[]): FieldStatistics {
  const [counts, ...matching] = cells.map((cell) => (cell as readonly unknown[]).map(Number))
  const [documents = 0, words = 0, ...holding] = counts ?? []
  const keys = (kind: 'pattern' | 'value') =>
    [...terms].flatMap(([key, term]) => ((typeof term === 'object') === (kind === 'pattern') ? [key] : []))
  return {
    documents,
    words,
    holding: new Map(keys('value').map((key, at) => [key, holding[at] ?? 0])),
    matching: new Map(keys('pattern').map((key, at) => [key, matching[at] ?? []])),
  }
}

/** Words up to which those that a pattern matches are counted one by one, by their letters: `max_expansions` as it is unless said otherwise. */
const matchingMax = 50

function matchingCounts(term: Exclude<ScoredTerm, Value>, field: Field, columns: FieldColumns): Sql {
  const values = field.type === 'text' ? heldWords(columns) : heldValues(columns)
  const found = sql`arrayDistinct(arrayFilter(t -> ${matchesTerm(term)}, ${values}))`
  return sql`arraySlice(tupleElement(sumMap(${found}, arrayMap(t -> 1, ${found})), 2), 1, ${num(matchingMax)})`
}

/** Whether the word or value `t` is one that a pattern matches. */
export function matchesTerm({ words, ...pattern }: Exclude<ScoredTerm, Value>): Sql {
  return words === undefined ? matchSql(pattern, sql`t`) : sql`has(${list(words.map(str))}, t)`
}

/** The values of a field of texts that are no words. */
export function heldValues({ one, many }: FieldColumns): Sql {
  const single = sql`if(isNull(${one}), [], [assumeNotNull(toString(${one}))])`
  return many ? sql`if(empty(${many}), ${single}, arrayDistinct(${many}))` : single
}

/** The values of a field in all documents; one that a document holds twice is one. */
function valuesCount({ many }: FieldColumns, present: Sql): Sql {
  if (!many) return sql`countIf(${present})`
  return sql`sum(if(empty(${many}), toUInt64(${present}), length(arrayDistinct(${many}))))`
}

/** How many words there are among those that a column holds: where an analyzer left one out is none. */
export function wordCount({ gaps }: FieldColumns, held: Sql): Sql {
  return gaps ? sql`toUInt64(length(${held}) - countEqual(${held}, ${str(encodedMarks.gap)}))` : sql`length(${held})`
}

/** The words of a text in their order; those of several values follow each other. */
export function heldWords(columns: FieldColumns): Sql {
  const one = tokensOf(columns.one, columns.cut)
  return columns.many ? sql`if(empty(${columns.many}), ${one}, ${tokensOfMany(columns.many)})` : one
}

/** The inverse document frequency of a word or value, from 0 up. */
export function rarity(field: Field, term: Value, statistics: Statistics): number {
  const known = statistics.get(statisticsKey(field))
  return inverseFrequency(known, known?.holding.get(String(term)) ?? 0)
}

/** The same by how many documents hold it, of those that have the field. */
export function inverseFrequency(known: FieldStatistics | undefined, holding: number): number {
  const documents = known?.documents ?? 0
  const most = Math.min(holding, documents)
  return Math.log(1 + (documents - most + 0.5) / (most + 0.5))
}
