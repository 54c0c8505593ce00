import type { GeoShape } from './geo.ts'

/** What the ends of a range field are: numbers as they are compared, dates in epoch milliseconds, addresses as their canonical text. */
export type SpanKind = 'long' | 'double' | 'date' | 'ip'

/** How a range in a query and one in a document lie to each other, from the document's side. */
export type SpanRelation = 'intersects' | 'contains' | 'within'

/**
 * The closed intermediate form of every query and rule: what a search clause, a Sigma or ElastAlert rule and a detection all lower to.
 * It has two renderers: SQL (in search) and `evaluate` over one document (here). A new form needs both.
 */

/** How a field's values are stored and compared; several wire types share one (`integer` and `long` are both `long`). */
export type ValueType =
  | 'string'
  | 'text'
  | 'long'
  | 'unsigned'
  | 'double'
  | 'boolean'
  | 'date'
  | 'date_nanos'
  | 'ip'
  | 'binary'

/** A field as one mapping sees it: full dotted path and value type. Values of another type under the same path are another field. */
export interface Field {
  readonly path: string
  readonly type: ValueType
}

/**
 * A comparable value: `date` is epoch milliseconds, `date_nanos` epoch nanoseconds as bigint, `ip` the canonical text of the address,
 * `long` and `unsigned` a number when safe and a bigint beyond.
 */
export type Value = string | number | bigint | boolean

/** Bounds of a range; an absent bound is open. */
export interface Bounds {
  readonly gt?: Value
  readonly gte?: Value
  readonly lt?: Value
  readonly lte?: Value
  /** Set where texts are software versions, which have an order of their own: 1.10 comes after 1.9. */
  readonly versions?: true
}

/** A text pattern: `wildcard` knows `*`, `?` and backslash; `regexp` is Lucene's syntax and matches the whole value; `fuzzy` is a word that may differ a little. */
export interface Pattern {
  readonly kind: 'prefix' | 'wildcard' | 'regexp' | 'fuzzy'
  /** Of `fuzzy`: how many letters may differ. */
  readonly edits?: number
  /** Of `fuzzy`: letters at the beginning that must not differ. */
  readonly prefixLength?: number
  /** Of `fuzzy`: set where two neighbours that change places are two edits, not one. */
  readonly transpositions?: false
  readonly text: string
  readonly caseInsensitive: boolean
}

export type Predicate =
  | { readonly op: 'all' }
  | { readonly op: 'none' }
  | { readonly op: 'and'; readonly of: readonly Predicate[] }
  | { readonly op: 'or'; readonly of: readonly Predicate[] }
  | { readonly op: 'not'; readonly of: Predicate }
  /**
   * At least `count` of the given hold (`minimum_should_match`); where that is a field, as many as the least number it holds, but one at least,
   * and never without a number.
   */
  | { readonly op: 'at-least'; readonly count: number | Field; readonly of: readonly Predicate[] }
  /** The field holds at least one value. */
  | { readonly op: 'present'; readonly field: Field }
  /** One of the field's values equals one of `values`. Of a `text` no query says so; a column of few different texts is asked by it. */
  | { readonly op: 'equals'; readonly field: Field; readonly values: readonly Value[] }
  /** One of the field's values lies within the bounds. */
  | { readonly op: 'range'; readonly field: Field; readonly bounds: Bounds }
  /** One of a `string` field's values, or one token of a `text` field's, matches the pattern as a whole. */
  | { readonly op: 'pattern'; readonly field: Field; readonly pattern: Pattern }
  /** The values of a `text` field together hold at least `count` of the analysed tokens. */
  | { readonly op: 'tokens'; readonly field: Field; readonly tokens: readonly string[]; readonly count: number }
  /** One value of a `text` field holds the tokens in order, at most `slop` moves apart; with `prefix` the last is the start of a token. */
  | {
      readonly op: 'phrase'
      readonly field: Field
      readonly tokens: readonly string[]
      readonly slop: number
      readonly prefix: boolean
    }
  /** One of a range field's ranges lies to the given one (as `encodeSpan` writes it) as the relation says. */
  | {
      readonly op: 'span'
      readonly field: Field
      readonly kind: SpanKind
      readonly relation: SpanRelation
      readonly span: string
    }
  /** One of a point field's points, kept as text `lat,lon`, lies in the area. */
  | { readonly op: 'geo'; readonly field: Field; readonly shape: GeoShape }
  /** One object at the path, of a list of them or alone, meets the condition by itself; its fields keep their full paths. */
  | { readonly op: 'nested'; readonly path: string; readonly of: Predicate }
  /** The document's id is one of these. */
  | { readonly op: 'ids'; readonly ids: readonly string[] }
/** `_index`, `_seq_no` and other metadata of the document compare as fields named with a leading underscore and type `string` or `long`. */

/** Matches every document. */
export const all: Predicate = { op: 'all' }
/** Matches no document. */
export const none: Predicate = { op: 'none' }

/** Conjunction, with trivial members folded away. */
export function and(of: readonly Predicate[]): Predicate {
  const kept = of.filter((predicate) => predicate.op !== 'all')
  if (kept.some((predicate) => predicate.op === 'none')) return none
  return kept.length === 0 ? all : kept.length === 1 ? (kept[0] as Predicate) : { op: 'and', of: kept }
}

/** Disjunction, with trivial members folded away; an empty one matches nothing. */
export function or(of: readonly Predicate[]): Predicate {
  const kept = of.filter((predicate) => predicate.op !== 'none')
  if (kept.some((predicate) => predicate.op === 'all')) return all
  return kept.length === 0 ? none : kept.length === 1 ? (kept[0] as Predicate) : { op: 'or', of: kept }
}

/** Negation: documents without the field match, as in Elasticsearch's `must_not`. */
export function not(of: Predicate): Predicate {
  if (of.op === 'all') return none
  if (of.op === 'none') return all
  return of.op === 'not' ? of.of : { op: 'not', of }
}

/** What is said of one field. */
export type FieldPredicate = Extract<Predicate, { readonly field: Field }>

/** The conditions on fields that a predicate consists of, without those on single objects (`nested`). */
export function fieldConditions(predicate: Predicate): readonly FieldPredicate[] {
  if (predicate.op === 'and' || predicate.op === 'or' || predicate.op === 'at-least')
    return predicate.of.flatMap(fieldConditions)
  if (predicate.op === 'not') return fieldConditions(predicate.of)
  return 'field' in predicate ? [predicate] : []
}

/**
 * A predicate in which each condition on a field is another one that says the same, with what became trivial folded away. Conditions on single objects
 * (`nested`) stay as they are.
 */
export function mapFields(predicate: Predicate, map: (condition: FieldPredicate) => Predicate): Predicate {
  switch (predicate.op) {
    case 'and':
    case 'or': {
      const of = mapEach(predicate.of, map)
      if (of === predicate.of) return predicate
      return predicate.op === 'and' ? and(of) : or(of)
    }
    case 'not': {
      const of = mapFields(predicate.of, map)
      return of === predicate.of ? predicate : not(of)
    }
    case 'at-least': {
      const of = mapEach(predicate.of, map)
      if (of === predicate.of) return predicate
      const held = of.filter((member) => member.op !== 'none')
      const least = typeof predicate.count === 'number' ? predicate.count : 1
      return held.length < least ? none : { ...predicate, of: held.length === 0 ? of : held }
    }
    default:
      return 'field' in predicate ? map(predicate) : predicate
  }
}

/** The very list where nothing in it changed: conditions are known again by what they are. */
function mapEach(of: readonly Predicate[], map: (condition: FieldPredicate) => Predicate): readonly Predicate[] {
  const mapped = of.map((member) => mapFields(member, map))
  return mapped.some((member, at) => member !== of[at]) ? mapped : of
}
