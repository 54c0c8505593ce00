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
function statisticsKey({ path, type }: Field): string {
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
  const present = truth(predicateSql({ op: 'present', field }, lookup))
  const holds = (term: Value) =>
    truth(
      predicateSql(
        field.type === 'text'
          ? { op: 'tokens', field, tokens: [String(term)], count: 1 }
          : { op: 'equals', field, values: [term] },
        lookup,
      ),
    )
  const words = field.type === 'text' ? sql`sum(length(${heldWords(columns)}))` : sql`countIf(${present})`
  return [sql`countIf(${present})`, words, ...terms.map((term) => sql`countIf(${holds(term)})`)]
}

function heldWords(columns: FieldColumns): Sql {
  const one = tokensOf(columns.one, columns.cut)
  return columns.many ? sql`if(empty(${columns.many}), ${one}, ${tokensOfMany(columns.many)})` : one
}

/** A score as an expression over the rows of one table; never NULL. */
export function scoreSql(score: Score, statistics: Statistics, lookup: ColumnLookup): Sql {
  const inner = (each: Score) => scoreSql(each, statistics, lookup)
  switch (score.op) {
    case 'constant':
      return score.value === 0
        ? sql`0.`
        : sql`if(${truth(predicateSql(score.when, lookup))}, ${double(score.value)}, 0.)`
    case 'sum':
      return score.of.length === 0 ? sql`0.` : sql`arraySum(${list(score.of.map(inner))})`
    case 'max': {
      const all = list(score.of.map(inner))
      if (score.of.length === 0) return sql`0.`
      if (score.tie === 0) return sql`arrayMax(${all})`
      return sql`(arrayMax(${all}) + ${double(score.tie)} * (arraySum(${all}) - arrayMax(${all})))`
    }
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
      return textSql(score, statistics, lookup)
  }
}

function textSql(
  score: Extract<Score, { readonly op: 'text' | 'phrase' }>,
  statistics: Statistics,
  lookup: ColumnLookup,
): Sql {
  const columns = columnsOf(score.field, lookup)
  const known = statistics.get(statisticsKey(score.field))
  if (!columns || !known || known.documents === 0) return sql`0.`
  const tokens = score.op === 'text' ? [score.token] : score.tokens
  const weight = tokens.reduce((sum, token) => sum + rarity(score.field, token, statistics), 0)
  const held = heldWords(columns)
  const average = known.words / known.documents
  // A phrase counts as often as its rarest word may: once.
  const frequency = score.op === 'text' ? sql`toFloat64(countEqual(held, ${str(score.token)}))` : sql`1.`
  const norm = sql`${double(saturation)} * (${double(1 - lengthShare)} + ${double(lengthShare / average)} * ${keptLength(sql`length(held)`)})`
  const value = sql`${double(score.boost * weight * (saturation + 1))} * ${frequency} / (${frequency} + ${norm})`
  // Bound once, so that the text is split once.
  return sql`arraySum(arrayMap(held -> ${value}, [${held}]))`
}

/** The length as Lucene keeps it: four significant bits beyond 24. */
function keptLength(length: Sql): Sql {
  const beyond = sql`toInt64(${length}) - 24`
  const shift = sql`greatest(0, toInt32(floor(log2(greatest(1, ${beyond})))) - 3)`
  return sql`if(${length} < 24, toInt64(${length}), 24 + bitShiftLeft(bitShiftRight(${beyond}, ${shift}), ${shift}))`
}

/** What a document that holds a value scores for its rarity. */
export function exactWorth(
  { field, value, boost }: Extract<Score, { readonly op: 'exact' }>,
  statistics: Statistics,
): number {
  return boost * rarity(field, value, statistics)
}

/** The inverse document frequency. */
function rarity(field: Field, term: Value, statistics: Statistics): number {
  const known = statistics.get(statisticsKey(field))
  const holding = Math.min(known?.holding.get(String(term)) ?? 0, known?.documents ?? 0)
  return Math.log(1 + ((known?.documents ?? 0) - holding + 0.5) / (holding + 0.5))
}

function double(value: number): Sql {
  return sql`toFloat64(${num(value)})`
}
