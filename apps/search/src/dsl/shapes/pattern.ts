import { AppError, searchErrors } from '@logstack/errors'
import { all, compilePattern, luceneRegexp, none, type Pattern, type Predicate } from '@logstack/rules'
import { normalize } from '../../indices/field-types/keyword.ts'
import { spanKindOf } from '../../indices/field-types/range-types.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import { shownPattern } from '../../patterns/shown-pattern.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import type { LowerContext } from '../define-query.ts'
import { indexLimit } from '../index-limits.ts'
import { type SearchableField, searchable } from './field-value.ts'
import { indexedBeginning } from './indexed-beginning.ts'
import { fieldOf } from './reporting.ts'
import { columnPattern } from './words.ts'

const clauseNames = { prefix: 'prefix', wildcard: 'wildcard', regexp: 'regexp', fuzzy: 'fuzzy' } as const

/** A pattern on a field of strings or text; other types refuse it as Elasticsearch does. Regular expressions are checked here. */
export function patternPredicate(path: string, pattern: Pattern, context: LowerContext): Predicate {
  if (pattern.kind === 'regexp') checkRegexp(pattern.text, context)
  if (path === '_index') return compilePattern(pattern)(context.indexName) ? all : none
  const resolved = context.field(path)
  if (!resolved) return none
  const field = path === '_id' ? { ...searchable(resolved), wireType: '_id' } : searchable(resolved)
  if (path === '_id' || !hasLetters(field))
    throw new AppError(
      searchErrors.query_shard_exception,
      `Can only use ${clauseNames[pattern.kind]} queries on ${pattern.kind === 'regexp' ? 'keyword and text' : 'keyword, text and wildcard'} fields - not on [${path}] which is of type [${field.wireType}]`,
      { detail: { index: context.reportedIndex } },
    )
  const beginning = pattern.kind === 'prefix' ? indexedBeginning(field, pattern, context) : undefined
  if (beginning) return beginning
  const literal = field.valueType === 'text' ? pattern : normalizedPattern(field, pattern)
  return { op: 'pattern', field: fieldOf(field), pattern: columnPattern(field, literal) }
}

/** Types that are kept as texts and are none. */
const noLetters = new Set(['completion', 'geo_point', 'geo_shape'])

/** A field in which words near others are looked for. Throws `illegal_argument_exception` for types that have none. */
export function fuzzyField(resolved: ResolvedField): SearchableField {
  const field = searchable(resolved)
  if (hasLetters(field)) return field
  throw illegalArgument(
    `Can only use fuzzy queries on keyword and text fields - not on [${field.path}] which is of type [${field.wireType}]`,
  )
}

/** Whether the values of a field are letters, which patterns and words near others are looked for in. */
function hasLetters({ valueType, wireType }: ResolvedField): boolean {
  return (valueType === 'string' || valueType === 'text') && !noLetters.has(wireType) && !spanKindOf(wireType)
}

/** How the words that a pattern stands for are written into a query: changes nothing here, but there must be such a way. Throws `illegal_argument_exception`. */
export function checkRewrite(rewrite: string | undefined): void {
  if (rewrite === undefined || rewriteWays.test(rewrite)) return
  throw illegalArgument(`Failed to parse rewrite_method [${rewrite}]`)
}

const rewriteWays =
  /^(?:constant_score|constant_score_blended|scoring_boolean|constant_score_boolean|top_terms_(?:boost_|blended_freqs_)?\d+)$/u

/** The letters of a pattern as the field's normalizer writes them. */
function normalizedPattern(field: ResolvedField, pattern: Pattern): Pattern {
  if (pattern.kind !== 'wildcard') return { ...pattern, text: normalize(pattern.text, field) }
  const text = pattern.text.replace(/\\.|[*?]|[^\\*?]+/gsu, (piece) =>
    /^[*?\\]/u.test(piece) ? piece : normalize(piece, field),
  )
  return { ...pattern, text }
}

/** Refuses regular expressions that are too long or cannot be read. */
export function checkRegexp(text: string, context: LowerContext): void {
  const most = indexLimit(context, 'max_regex_length')
  if (text.length > most)
    throw illegalArgument(
      `The length of regex [${text.length}] used in the Regexp Query request has exceeded the allowed maximum of [${most}]. This maximum can be set by changing the [index.max_regex_length] index level setting.`,
    )
  readRegexp(text)
}

/** A regular expression of Lucene's as the source of one of JavaScript's. Throws `illegal_argument_exception` for what cannot be read. */
export function readRegexp(text: string): string {
  const read = luceneRegexp(text)
  if (!('error' in read)) return read.source
  const missing = /^expected ([\])])$/u.exec(read.error)?.[1]
  throw illegalArgument(
    missing === undefined
      ? `failed to parse regexp [${shownPattern(text)}]: ${read.error}`
      : `expected '${missing}' at position ${[...text].length}`,
  )
}
