import {
  all,
  and,
  compilePattern,
  type Field,
  leavesAt,
  none,
  or,
  type Pattern,
  type Predicate,
  tokenize,
} from '@logstack/rules'
import type { ResolvedField } from '../../model/mapping.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { encodeWord } from '../../tokens/column-words.ts'
import { analyze } from '../../tokens/token.ts'
import type { LowerContext } from '../define-query.ts'
import { searchable } from '../shapes/field-value.ts'
import { checkRegexp } from '../shapes/pattern.ts'
import { fieldOf } from '../shapes/reporting.ts'
import { columnPattern, placesOf } from '../shapes/words.ts'
import type { PlacedWord, Source, WordsOf } from './find-intervals.ts'

/** Places between the values of a list, where the mapping does not say it. */
const positionGapDefault = 100

/** A text field whose words' places count. Throws for other types; undefined when it is not mapped. */
export function intervalField(
  path: string,
  context: LowerContext,
  query: 'interval' | 'span' | 'span prefix',
): ResolvedField | undefined {
  const field = context.field(path)
  if (!field || field.valueType === 'text') return field
  if (query === 'span')
    throw illegalArgument(`Span term query requires position data, but field ${path} was indexed without position data`)
  throw illegalArgument(
    `Can only use ${query} queries on text fields - not on [${path}] which is of type [${field.wireType}]`,
  )
}

/** One word of a field, as its column holds it. */
export function wordSource(field: ResolvedField, word: string): Source {
  const found: Predicate = { op: 'tokens', field: fieldOf(searchable(field)), tokens: [word], count: 1 }
  return { op: 'word', path: field.path, found, matches: (each) => each === word }
}

/** Any word of a field that a pattern matches. Throws for regular expressions that are too long or cannot be read. */
export function patternSource(field: ResolvedField, pattern: Pattern, context: LowerContext): Source {
  if (pattern.kind === 'regexp') checkRegexp(pattern.text, context)
  const written = columnPattern(field, pattern)
  const found: Predicate = { op: 'pattern', field: fieldOf(searchable(field)), pattern: written }
  return { op: 'word', path: field.path, found, matches: compilePattern(written) }
}

/** The words of a text, by place: one source for each; equal words are one source. */
export function textSources(
  field: ResolvedField,
  text: string,
  analyzer: string | undefined,
  context: LowerContext,
): Source[] {
  const known = new Map<string, Source>()
  const ofWord = (word: string) => {
    const source = known.get(word) ?? wordSource(field, word)
    known.set(word, source)
    return source
  }
  return placesOf(field, text, { analyzer, quoted: true }, context).map((place): Source => {
    const ways = place.map((words): Source => {
      const [only] = words
      if (words.length === 1 && only !== undefined) return ofWord(only)
      return { op: 'all', of: words.map(ofWord), order: 'ordered', gapsMax: 0 }
    })
    const [first] = ways
    return ways.length === 1 && first ? first : { op: 'any', of: ways }
  })
}

/** What every document that can match meets: the engine finds these, their texts are looked at afterwards. */
function necessary(source: Source): Predicate {
  switch (source.op) {
    case 'word':
      return source.found
    case 'any':
      return or(source.of.map(necessary))
    case 'all':
      return and(source.of.map(necessary))
    case 'related':
      return and([necessary(source.of), source.not ? all : necessary(source.to)])
    case 'apart':
    case 'kept':
    case 'first':
      return necessary(source.of)
  }
}

/** What is asked of the places of words: `key` says what, for documents' answers to be kept apart; `frequency`, how much of it words have. */
export interface PlacesAsked {
  readonly source: Source | undefined
  readonly key: string
  readonly frequency: (source: Source, words: WordsOf) => number
}

/** Documents whose words are placed as it is asked. */
export function placesPredicate(asked: PlacesAsked, context: LowerContext): Predicate {
  if (!asked.source) return none
  return and([necessary(asked.source), { op: 'range', field: frequencyField(asked, context), bounds: { gt: 0 } }])
}

/** The computed field that says how much of what is asked a document has. */
export function frequencyField({ source, key, frequency }: PlacesAsked, context: LowerContext): Field {
  if (context.inside() !== '')
    throw illegalArgument('the places of words within the objects of a [nested] field are not kept')
  const fields = new Map<string, ResolvedField>()
  for (const path of source ? pathsOf(source) : []) {
    const field = context.field(path)
    if (field) fields.set(path, field)
  }
  return context.computed.evaluated(key, (document) => {
    const words: WordsOf = (path) => wordsOfDocument(document, fields.get(path))
    return source ? frequency(source, words) : 0
  })
}

/** The fields whose words a source looks at. */
export function pathsOf(source: Source): string[] {
  switch (source.op) {
    case 'word':
      return [source.path]
    case 'any':
    case 'all':
      return source.of.flatMap(pathsOf)
    case 'related':
      return [...pathsOf(source.of), ...pathsOf(source.to)]
    case 'apart':
      return [...pathsOf(source.of), ...pathsOf(source.from)]
    case 'kept':
    case 'first':
      return pathsOf(source.of)
  }
}

/** The words a document has in a field, with their places; several values stand apart. */
function wordsOfDocument(document: unknown, field: ResolvedField | undefined): readonly PlacedWord[] {
  if (!field) return []
  const gap = Number(field.parameters['position_increment_gap'] ?? positionGapDefault)
  const found: PlacedWord[] = []
  let from = 0
  for (const leaf of leavesAt(document, field.sourcePath)) {
    if (leaf === null || typeof leaf === 'object') continue
    const text = String(leaf)
    const words = field.words
      ? analyze(field.words.index, text).map((token) => ({
          word: encodeWord(token.text),
          place: from + token.position,
        }))
      : tokenize(text).map((word, at) => ({ word, place: from + at }))
    for (const word of words) {
      found.push(word)
      from = Math.max(from, word.place + 1)
    }
    from += gap
  }
  return found
}
