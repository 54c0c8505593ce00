import { luceneRegexp, type Pattern, tokenize } from '@logstack/rules'
import type { ResolvedField } from '../../model/mapping.ts'
import { illegalArgument, queryShardError } from '../../refusals/refuse.ts'
import { encodeWord, isGap, type Place, searchPlaces } from '../../tokens/column-words.ts'
import type { Analyzer } from '../../tokens/token.ts'
import type { LowerContext } from '../define-query.ts'

/** Which analyzer cuts the text of a clause: the one it names, or the field's. */
export interface Cutting {
  readonly analyzer?: string | undefined
  /** Whether the words are those of a phrase. */
  readonly quoted?: boolean
}

/** Ways to read a phrase at most, where words stand for each other. */
const readingsMax = 64

/** The words a clause looks for in a text field, as its column holds them, by place. */
export function placesOf(
  field: ResolvedField,
  text: string,
  { analyzer: named, quoted }: Cutting,
  context: LowerContext,
): readonly Place[] {
  const own = named === undefined ? undefined : namedAnalyzer(named, context)
  const { words } = field
  if (words === undefined)
    return own === undefined ? tokenize(text).map((word) => [[word]]) : searchPlaces(own, text, (word) => word)
  if (context.inside() !== '')
    throw illegalArgument(
      `[${field.path}] has an analyzer of its own, which the objects of a [nested] field cannot be searched with`,
    )
  return searchPlaces(own ?? (quoted === true ? words.quoted : words.search), text, encodeWord)
}

/** The places that have a word. */
export function wordsOnly(places: readonly Place[]): readonly Place[] {
  return places.filter((place) => !isGap(place))
}

/** Every way to read a text, as lists of words. Throws beyond a limit. */
export function readingsOf(places: readonly Place[]): readonly (readonly string[])[] {
  let readings: readonly (readonly string[])[] = [[]]
  for (const place of places) {
    readings = readings.flatMap((reading) => place.map((words) => [...reading, ...words]))
    if (readings.length > readingsMax)
      throw illegalArgument(`a phrase can be read in at most [${readingsMax}] ways, where words stand for each other`)
  }
  return readings
}

/** A word given as it stands in the index, as the field's column holds it. */
export function columnWord(field: ResolvedField, word: string): string {
  return field.words === undefined ? word : encodeWord(word)
}

/** Filters that change single letters: what a pattern goes through, too. */
const letterFilters = new Set(['lowercase', 'uppercase', 'asciifolding'])

/** A word or pattern of a query string as the field's analyzer writes letters. */
export function normalizedWord(field: ResolvedField, word: string): string {
  if (field.valueType !== 'text') return word
  if (field.words === undefined) return word.toLowerCase()
  const { filters } = field.words.search
  let tokens = [{ text: word, start: 0, end: word.length, position: 0, type: 'word' }]
  for (const { name, work } of filters) if (letterFilters.has(name)) tokens = [...work(tokens)] as typeof tokens
  return tokens[0]?.text ?? word
}

/** A pattern over the words of a field, for words as its column holds them. Throws where it would be too long a regular expression. */
export function columnPattern(field: ResolvedField, pattern: Pattern): Pattern {
  if (field.words === undefined || pattern.kind === 'regexp') return pattern
  const { text, caseInsensitive } = pattern
  if (pattern.kind === 'fuzzy') return { ...pattern, text: encodeWord(text) }
  if (pattern.kind === 'prefix' && !caseInsensitive) return { ...pattern, text: encodeWord(text) }
  const pieces = pattern.kind === 'prefix' ? [...text].map(literal) : wildcardPieces(text)
  const source = pieces
    .map((piece) => ('letter' in piece ? oneOf(piece.letter, caseInsensitive) : piece.source))
    .join('')
  const written = pattern.kind === 'prefix' ? `${source}.*` : source
  const read = luceneRegexp(written)
  if ('error' in read)
    throw illegalArgument(
      `a pattern of [${text.length}] characters cannot be looked for in [${field.path}]: ${read.error}`,
    )
  return { kind: 'regexp', text: written, caseInsensitive: false }
}

type Piece = { readonly letter: string } | { readonly source: string }

function literal(letter: string): Piece {
  return { letter }
}

/** `?` is one character, which may be written as several. */
function wildcardPieces(text: string): Piece[] {
  const found = [...text.matchAll(/\\(?<escaped>.)|(?<any>\*)|(?<one>\?)|(?<letter>.)/gsu)]
  return found.map(({ groups }) => {
    if (groups?.['any'] !== undefined) return { source: '.*' }
    if (groups?.['one'] !== undefined) return { source: '(ǁ[0-9a-f]+ǁ|[^ǁ])' }
    return literal(groups?.['escaped'] ?? groups?.['letter'] ?? '')
  })
}

function oneOf(letter: string, anyCase: boolean): string {
  const forms = anyCase ? [...new Set([letter, letter.toLowerCase(), letter.toUpperCase()])] : [letter]
  const written = forms.map(encodeWord)
  return written.length === 1 ? (written[0] ?? '') : `(${written.join('|')})`
}

function namedAnalyzer(name: string, context: LowerContext): Analyzer | undefined {
  const found = context.analyzer(name)
  if (!found)
    throw queryShardError(
      context.reportedIndex,
      illegalArgument(`analyzer [${name}] not found`),
      `analyzer [${name}] not found`,
    )
  return found
}

/** Refuses an analyzer of a clause that the index does not have, whatever fields there are. */
export function checkAnalyzer(clause: string, name: string | undefined, context: LowerContext): void {
  if (name === undefined || !context.hasIndex || context.analyzer(name)) return
  throw queryShardError(context.reportedIndex, undefined, `[${clause}] analyzer [${name}] not found`)
}
