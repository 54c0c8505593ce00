import { boundedRegExp, compilePattern, leavesAt, type Predicate, standardTokenPattern } from '@logstack/rules'
import type { LowerContext } from '../../dsl/define-query.ts'
import type { HighlightField } from '../../dsl/highlight-request.ts'
import { indexLimit } from '../../dsl/index-limits.ts'
import { normalize } from '../../indices/field-types/keyword.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { encodeWord } from '../../tokens/column-words.ts'
import { analyze } from '../../tokens/token.ts'
import type { Leaf } from '../leaves/leaves.ts'
import { type DocumentReader, type ScriptedDocument, writtenValues } from '../leaves/scripted-values.ts'
import { beginningOf, fragmentsOf, type Span } from './highlight-fragments.ts'
import { type Phrase, phrasePlaces } from './phrase-places.ts'

/** What makes a piece of a field's value part of a match. */
interface Wanted {
  /** Single words of a text, or whole values of a keyword. */
  readonly matches: ((value: string) => boolean)[]
  /** Words of a text that count only side by side, or near each other. */
  readonly phrases: Phrase[]
}

/** What each field of a query looks for, by path; what stands under a negation is left out. */
export type HighlightTerms = ReadonlyMap<string, Wanted>

/** Collects the words, values and patterns that predicates look for. */
export function highlightTerms(predicates: readonly Predicate[]): HighlightTerms {
  const found = new Map<string, Wanted>()
  for (const predicate of predicates) collect(predicate, found)
  return found
}

const ofObjects = new WeakMap<Leaf, Map<string, HighlightTerms>>()

/** What a search looks for in the objects at a path. */
export function objectTerms(leaf: Leaf, path: string): HighlightTerms {
  const known = ofObjects.get(leaf) ?? new Map<string, HighlightTerms>()
  ofObjects.set(leaf, known)
  const terms = known.get(path) ?? highlightTerms([leaf.asked, ...leaf.besides].flatMap((each) => within(each, path)))
  known.set(path, terms)
  return terms
}

/** The conditions on objects at a path, wherever in a predicate they stand. */
function within(predicate: Predicate, path: string): readonly Predicate[] {
  if (predicate.op === 'nested') return predicate.path === path ? [predicate.of] : within(predicate.of, path)
  if (predicate.op !== 'and' && predicate.op !== 'or' && predicate.op !== 'at-least') return []
  return predicate.of.flatMap((member) => within(member, path))
}

function collect(predicate: Predicate, found: Map<string, Wanted>): void {
  if (predicate.op === 'and' || predicate.op === 'or' || predicate.op === 'at-least') {
    for (const member of predicate.of) collect(member, found)
    return
  }
  if (predicate.op !== 'tokens' && predicate.op !== 'phrase' && predicate.op !== 'pattern' && predicate.op !== 'equals')
    return
  const wanted = found.get(predicate.field.path) ?? { matches: [], phrases: [] }
  found.set(predicate.field.path, wanted)
  if (predicate.op === 'pattern') wanted.matches.push(compilePattern(predicate.pattern))
  else if (predicate.op === 'equals')
    wanted.matches.push((value) => predicate.values.some((each) => String(each) === value))
  else if (predicate.op === 'tokens') wanted.matches.push((value) => predicate.tokens.includes(value))
  else {
    const words = predicate.tokens.map(
      (token, at) => (value: string) =>
        predicate.prefix && at === predicate.tokens.length - 1 ? value.startsWith(token) : value === token,
    )
    const [first] = words
    if (first && words.length === 1) wanted.matches.push(first)
    else wanted.phrases.push({ words, slop: predicate.slop })
  }
}

/** Refuses a highlighter that there is not, and the one that needs the places of words where the field keeps none. */
function checkType(type: string, { path, parameters }: ResolvedField): void {
  if (type === 'unified' || type === 'plain') return
  if (type !== 'fvh') throw illegalArgument(`unknown highlighter type [${type}] for the field [${path}]`)
  if (!String(parameters['term_vector']).startsWith('with_positions_offsets'))
    throw illegalArgument(
      `the field [${path}] should be indexed with term vector with position offsets to be used with fast vector highlighter`,
    )
}

/** The fragments of a document's fields, or of those of an object at `inside`, that the query matched, by path, with tags around the matches. */
export function highlight(
  document: ScriptedDocument,
  reader: DocumentReader,
  context: LowerContext,
  fields: readonly HighlightField[],
  terms: HighlightTerms,
  inside = '',
): Record<string, readonly string[]> {
  const shown = new Map<string, readonly string[]>()
  for (const asked of fields) {
    for (const [name, field] of namedFields(asked.pattern, context)) {
      if (!field || (field.valueType !== 'text' && field.valueType !== 'string')) continue
      checkType(asked.type, field)
      const wanted = wantedIn(field, asked, termsOf(asked, terms, context, inside))
      const leaves = field.computed
        ? writtenValues(reader, field, document)
        : leavesAt(document.source, field.sourcePath)
      const fragments = leaves.flatMap((leaf) => {
        // A tree of a flattened field, or a range.
        if (typeof leaf === 'object') return []
        const text = String(leaf)
        if (isIgnored(text, field)) return []
        checkLength(text, field, asked, context)
        const spans = wanted.flatMap((each) =>
          each
            ? field.valueType === 'text'
              ? wordSpans(text, each, field, asked)
              : valueSpans(text, each, field)
            : [],
        )
        return spans.length === 0 ? [] : fragmentsOf(text, spans, asked)
      })
      const [first] = leaves
      if (fragments.length > 0)
        shown.set(name, asked.fragmentsMax === 0 ? fragments : fragments.slice(0, asked.fragmentsMax))
      else if (asked.noMatchSize > 0 && typeof first === 'string') shown.set(name, [beginningOf(first, asked)])
    }
  }
  return Object.fromEntries(shown)
}

/** The fields that are meant, by the names they are shown under: an alias's own. */
function namedFields(
  pattern: string,
  context: LowerContext,
): readonly (readonly [name: string, field: ResolvedField | undefined])[] {
  if (!pattern.includes('*')) return [[pattern, context.field(pattern)]]
  const fields = context.fieldsMatching(pattern).map((field) => [field.path, field] as const)
  return [...fields, ...context.aliasesMatching(pattern)]
}

const ownTerms = new WeakMap<object, WeakMap<LowerContext, HighlightTerms>>()

/** What is marked: what the query looks for, or another one that is asked for in its place. */
function termsOf(
  { query }: HighlightField,
  terms: HighlightTerms,
  context: LowerContext,
  inside: string,
): HighlightTerms {
  if (query === undefined) return terms
  const known = ownTerms.get(query) ?? new WeakMap<LowerContext, HighlightTerms>()
  ownTerms.set(query, known)
  const found = known.get(context) ?? context.within(inside, () => ownTermsOf(query, context))
  known.set(context, found)
  return found
}

function ownTermsOf(query: unknown, context: LowerContext): HighlightTerms {
  const before = context.marked.length
  const predicate = context.lower(query)
  return highlightTerms([predicate, ...context.marked.slice(before)])
}

function wantedIn(
  { path }: ResolvedField,
  { requireFieldMatch, matchedFields = [] }: HighlightField,
  terms: HighlightTerms,
): readonly (Wanted | undefined)[] {
  if (!requireFieldMatch) return [...terms.values()]
  return [...new Set([path, ...matchedFields])].map((each) => terms.get(each))
}

/** Throws `illegal_argument_exception` for a text of which more would be looked at than the index allows. */
function checkLength(
  text: string,
  field: ResolvedField,
  { offsetMax, plain }: HighlightField,
  context: LowerContext,
): void {
  const most = indexLimit(context, 'highlight.max_analyzed_offset')
  const isCut = offsetMax !== undefined && offsetMax <= most
  if (text.length > most && !isCut && (plain || !hasOffsets(field)))
    throw illegalArgument(
      `The length [${text.length}] of field [${field.path}] in doc/index [${context.reportedIndex}] exceeds the [index.highlight.max_analyzed_offset] limit [${most}]. To avoid this error, set the query parameter [max_analyzed_offset] to a value less than index setting [${most}] and this will tolerate long field values by truncating them.`,
    )
}

/** Whether Elasticsearch keeps where words stand, so that it need not look at the text. */
function hasOffsets({ parameters }: ResolvedField): boolean {
  return parameters['index_options'] === 'offsets' || String(parameters['term_vector']).includes('offsets')
}

/** A keyword that is too long is not in the index. */
function isIgnored(text: string, { valueType, parameters }: ResolvedField): boolean {
  const longest = parameters['ignore_above']
  return valueType === 'string' && typeof longest === 'number' && text.length > longest
}

function valueSpans(text: string, { matches }: Wanted, field: ResolvedField): Span[] {
  const value = normalize(text, field)
  return matches.some((holds) => holds(value)) ? [{ from: 0, to: text.length }] : []
}

const standardWords = boundedRegExp(standardTokenPattern, 'gu')

/** The words of a text as its column holds them, and where they stand. */
function wordsOf(text: string, { words }: ResolvedField): (Span & { readonly token: string })[] {
  if (words !== undefined)
    return analyze(words.index, text).map(({ text: word, start, end }) => ({
      token: encodeWord(word),
      from: start,
      to: end,
    }))
  return [...text.matchAll(standardWords)].map((found) => ({
    token: found[0].toLowerCase(),
    from: found.index,
    to: found.index + found[0].length,
  }))
}

/** Letters of the last word that is looked at, at most. */
const wordLengthMax = 1_000

/** The words of a text that begin no further on than `offsetMax` letters. */
function firstWords(text: string, field: ResolvedField, offsetMax: number | undefined) {
  if (offsetMax === undefined) return wordsOf(text, field)
  return wordsOf(text.slice(0, offsetMax + wordLengthMax), field).filter(({ from }) => from <= offsetMax)
}

function wordSpans(
  text: string,
  { matches, phrases }: Wanted,
  field: ResolvedField,
  { plain, offsetMax, requireFieldMatch }: HighlightField,
): Span[] {
  const words = firstWords(text, field, offsetMax)
  const tokens = words.map(({ token }) => token)
  const spans: Span[] = words.filter(({ token }) => matches.some((holds) => holds(token)))
  for (const phrase of phrases) {
    // Places of a phrase may lie over each other: each word is marked once, unless others may stand between them. The plain highlighter marks words, the other one the phrase, where it is of the field.
    let marked = 0
    for (const places of phrasePlaces(tokens, phrase)) {
      const fresh = places.flatMap((place) => (phrase.slop > 0 || place >= marked ? (words[place] ?? []) : []))
      const [first, last] = [fresh[0], fresh.at(-1)]
      if (plain || !requireFieldMatch) spans.push(...fresh)
      else if (first && last) spans.push({ from: first.from, to: last.to })
      marked = Math.max(marked, (places.at(-1) ?? 0) + 1)
    }
  }
  return spans
}
