import type { Field, Value } from '@logstack/rules'
import type { Score } from '../dsl/score.ts'
import type { FieldColumns } from './field-columns.ts'
import { type ColumnLookup, columnsOf, predicateSql, truth } from './predicate-to-sql.ts'
import { scoreFunctionsSql } from './score-functions-to-sql.ts'
import { list, num, type Sql, sql, str } from './sql.ts'
import { tokensOf, tokensOfMany } from './text-tokens.ts'

/** BM25's parameters as Lucene has them; its scores are scaled by the first plus one. */
const saturation = 1.2
const lengthShare = 0.75

/** What BM25 knows of a field: documents that have it, its words in all of them, and how many documents hold each word or value. */
export interface FieldStatistics {
  readonly documents: number
  readonly words: number
  readonly holding: ReadonlyMap<string, number>
}

/** Statistics by `statisticsKey`. */
export type Statistics = ReadonlyMap<string, FieldStatistics>

/** The name of a field's statistics. */
export function statisticsKey({ path, type }: Field): string {
  return `${type} ${path}`
}

/** The words and values a score needs to know the rarity of, by field. */
export function wantedTerms(score: Score, found = new Map<string, { field: Field; terms: Set<Value> }>()) {
  const note = (field: Field, terms: readonly Value[]) => {
    const known = found.get(statisticsKey(field)) ?? { field, terms: new Set<Value>() }
    found.set(statisticsKey(field), known)
    for (const term of terms) known.terms.add(term)
  }
  if (score.op === 'text') note(score.field, [score.token])
  else if (score.op === 'phrase') note(score.field, score.tokens)
  else if (score.op === 'exact') note(score.field, [score.value])
  else if (score.op === 'sum' || score.op === 'max') for (const each of score.of) wantedTerms(each, found)
  else if (score.op !== 'constant') wantedTerms(score.of, found)
  return found
}

/** The cells that count a field: documents, words, then documents a term. */
export function statisticsCells(field: Field, terms: readonly Value[], lookup: ColumnLookup): Sql[] {
  const columns = columnsOf(field, lookup)
  if (!columns) return [sql`0`, sql`0`, ...terms.map(() => sql`0`)]
  const present =
    field.type === 'text' ? sql`notEmpty(${heldWords(columns)})` : truth(predicateSql({ op: 'present', field }, lookup))
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
  return [sql`countIf(${present})`, words, ...terms.map((term) => sql`countIf(${holds(term)})`)]
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
  if (score.op === 'text' || score.op === 'phrase') return score.field
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
    const frequency = frequencySql(each)
    return sql`${double(partMax(each, statistics))} * ${frequency} / (${frequency} + ${norm})`
  }
  return sql`arrayMap(held -> ${inner(score)}, [${heldWords(columns)}])[1]`
}

/** How often a word or a phrase is in the words of a document. One whose words need not stand side by side counts once. */
function frequencySql(part: Score): Sql {
  if (part.op === 'text') return sql`countEqual(held, ${str(part.token)})`
  if (part.op !== 'phrase' || part.tokens.length === 0) return sql`1`
  const tokens = list(part.tokens.map(str))
  return sql`greatest(1, arrayCount(at -> arraySlice(held, at, ${num(part.tokens.length)}) = ${tokens}, arrayEnumerate(held)))`
}

/** What a part of words is worth less than in every document: it comes near in one that says little else. */
export function partMax(part: Score, statistics: Statistics): number {
  if (part.op !== 'text' && part.op !== 'phrase') throw new Error('BUG: a score of words has other parts')
  const tokens = part.op === 'text' ? [part.token] : part.tokens
  const weight = tokens.reduce((sum, token) => sum + rarity(part.field, token, statistics), 0)
  return part.boost * weight * (saturation + 1)
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
  const known = statistics.get(statisticsKey(field))
  const average = known && known.documents > 0 ? Math.max(1, known.words / known.documents) : 1
  const norm = saturation * (1 - lengthShare + lengthShare / average)
  return (boost * rarity(field, value, statistics) * (saturation + 1)) / (1 + norm)
}

/** The inverse document frequency. */
export function rarity(field: Field, term: Value, statistics: Statistics): number {
  const known = statistics.get(statisticsKey(field))
  const holding = Math.min(known?.holding.get(String(term)) ?? 0, known?.documents ?? 0)
  return Math.log(1 + ((known?.documents ?? 0) - holding + 0.5) / (holding + 0.5))
}

function double(value: number): Sql {
  return sql`toFloat64(${num(value)})`
}
