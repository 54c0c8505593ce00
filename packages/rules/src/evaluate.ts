import { type GeoPoint, holdsPoint, readGeoPoint } from './geo.ts'
import { compilePattern } from './pattern.ts'
import type { Bounds, Field, FieldPredicate, Predicate, SpanKind, Value } from './predicate.ts'
import { addressBounds, encodeSpan, spansRelate } from './span.ts'
import { tokenize } from './tokenize.ts'
import { compareValues, leavesAt, readValue, wholesAt } from './values.ts'
import { compareVersions } from './version.ts'

/** Metadata of the document a source belongs to: `_id`, `_seq_no`, … by name. */
export type DocumentMetadata = Readonly<Record<string, Value>>

/**
 * Whether a document satisfies a predicate: the meaning of the closed form, and the reference that the SQL renderer is tested against.
 * `source` is a parsed `_source`; values are read with the default formats of their types.
 */
export function evaluate(predicate: Predicate, source: unknown, metadata: DocumentMetadata = {}): boolean {
  const inner = (member: Predicate) => evaluate(member, source, metadata)
  switch (predicate.op) {
    case 'all':
      return true
    case 'none':
      return false
    case 'and':
      return predicate.of.every(inner)
    case 'or':
      return predicate.of.some(inner)
    case 'not':
      return !inner(predicate.of)
    case 'at-least':
      return predicate.of.filter(inner).length >= leastOf(predicate.count, source, metadata)
    case 'nested':
      return leavesAt(source, predicate.path).some(
        (object) => typeof object === 'object' && evaluate(predicate.of, { [predicate.path]: object }, metadata),
      )
    case 'span':
      return leavesAt(source, predicate.field.path).some((leaf) => {
        const own = spanOf(leaf, predicate.kind)
        return own !== undefined && spansRelate(own, predicate.span, predicate.relation)
      })
    case 'geo':
      return wholesAt(source, predicate.field.path)
        .flatMap(pointsOf)
        .some((point) => holdsPoint(predicate.shape, point))
    case 'ids':
      return predicate.ids.some((id) => id === metadata['_id'])
    default:
      return holds(predicate, valuesOf(predicate.field, source, metadata))
  }
}

/** How many conditions must hold; without end where the field that says it holds no number. */
function leastOf(count: number | Field, source: unknown, metadata: DocumentMetadata): number {
  if (typeof count === 'number') return count
  const values = valuesOf(count, source, metadata).map(Number)
  return values.length === 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.min(...values))
}

/** The points of a value: one, or those of a list. */
function pointsOf(value: unknown): GeoPoint[] {
  const point = readGeoPoint(value)
  if (point) return [point]
  return Array.isArray(value) ? value.flatMap(pointsOf) : []
}

/** A range of a document, its ends read with the default formats of their kind. */
function spanOf(leaf: unknown, kind: SpanKind): string | undefined {
  if (kind === 'ip' && typeof leaf === 'string') {
    const bounds = addressBounds(leaf)
    return bounds && encodeSpan(bounds, kind)
  }
  if (leaf === null || typeof leaf !== 'object') return undefined
  const bounds: Record<string, Value> = {}
  for (const [end, given] of Object.entries(leaf)) {
    const value = readValue(given, kind)
    if (value !== undefined) bounds[end] = value
  }
  return encodeSpan(bounds, kind)
}

type ValuePredicate = Exclude<FieldPredicate, { readonly op: 'span' | 'geo' }>

function valuesOf(field: Field, source: unknown, metadata: DocumentMetadata): Value[] {
  const own = metadata[field.path]
  if (own !== undefined) return [own]
  const values: Value[] = []
  for (const leaf of leavesAt(source, field.path)) {
    const value = readValue(leaf, field.type)
    if (value !== undefined) values.push(value)
  }
  return values
}

function holds(predicate: ValuePredicate, values: readonly Value[]): boolean {
  const { type } = predicate.field
  switch (predicate.op) {
    case 'present':
      return values.length > 0
    case 'equals':
      return values.some((value) => predicate.values.some((wanted) => compareValues(value, wanted, type) === 0))
    case 'range':
      return values.some((value) => within(value, predicate.bounds, type))
    case 'pattern': {
      const matches = compilePattern(predicate.pattern)
      return values.some((value) => (type === 'text' ? tokenize(String(value)).some(matches) : matches(String(value))))
    }
    case 'tokens': {
      const tokens = new Set(values.flatMap((value) => tokenize(String(value))))
      return predicate.tokens.filter((token) => tokens.has(token)).length >= predicate.count
    }
    case 'phrase':
      return values.some((value) => hasPhrase(tokenize(String(value)), predicate))
  }
}

function within(value: Value, bounds: Bounds, type: Field['type']): boolean {
  const against = (bound: Value | undefined, accept: (order: number) => boolean) =>
    bound === undefined ||
    accept(bounds.versions ? compareVersions(String(value), String(bound)) : compareValues(value, bound, type))
  return (
    against(bounds.gt, (order) => order > 0) &&
    against(bounds.gte, (order) => order >= 0) &&
    against(bounds.lt, (order) => order < 0) &&
    against(bounds.lte, (order) => order <= 0)
  )
}

/**
 * Lucene's sloppy phrase: take for every wanted token one of its positions less its place in the phrase; the phrase holds when some choice
 * spans at most `slop`, and no position serves twice. With slop 0 all are equal: the tokens stand in order, side by side.
 */
function hasPhrase(
  tokens: readonly string[],
  phrase: { readonly tokens: readonly string[]; readonly slop: number; readonly prefix: boolean },
): boolean {
  if (phrase.tokens.length === 0) return false
  const last = phrase.tokens.length - 1
  const shifted = phrase.tokens.map((wanted, place) =>
    tokens.flatMap((token, position) =>
      (phrase.prefix && place === last ? token.startsWith(wanted) : token === wanted) ? [position - place] : [],
    ),
  )
  return shifted.flat().some((lowest) => {
    const near = shifted.map((places) => places.filter((place) => place >= lowest && place <= lowest + phrase.slop))
    return near.every(({ length }) => length > 0) && standApart(phrase.tokens, near)
  })
}

/** One word of a text stands for one of a phrase: a token that it has twice must be there twice. */
function standApart(tokens: readonly string[], near: readonly (readonly number[])[]): boolean {
  return tokens.every((token) => {
    const same = tokens.flatMap((each, place) => (each === token ? [place] : []))
    const positions = new Set(same.flatMap((place) => (near[place] ?? []).map((each) => each + place)))
    return same.length === 1 || positions.size >= same.length
  })
}
