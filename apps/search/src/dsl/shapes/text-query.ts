import { isAppError } from '@logstack/errors'
import { all, and, none, or, type Predicate } from '@logstack/rules'
import type { ResolvedField } from '../../model/mapping.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { type Score, scoreOf, scoreOfSynonyms } from '../../scores/score.ts'
import { decodeWord, type Place } from '../../tokens/column-words.ts'
import type { LowerContext } from '../define-query.ts'
import { type SearchableField, searchable } from './field-value.ts'
import { fuzzyPredicate, fuzzyWords, type Nearness } from './fuzziness.ts'
import { indexedBeginning, indexedRow } from './indexed-beginning.ts'
import { wordsToMatch } from './minimum-should-match.ts'
import { fieldOf } from './reporting.ts'
import { termPredicate } from './term.ts'
import { type Cutting, placesOf, readingsOf, wordsOnly } from './words.ts'

/** Options of the full-text clauses. */
export interface MatchOptions extends Cutting {
  readonly operator?: 'and' | 'or' | undefined
  readonly minimumShouldMatch?: string | number | undefined
  readonly zeroTerms?: 'none' | 'all' | undefined
  /** Whether several words that stand for one must be side by side; else they must all be there. */
  readonly synonymPhrases?: boolean | undefined
  /** Words near the given ones count, too. */
  readonly near?: Nearness | undefined
  /** A value that does not fit the field's type matches nothing instead of failing. */
  readonly lenient?: boolean | undefined
}

/** `match` on one field: its analysed words, or for other types than text the exact value. */
export function matchPredicate(
  resolved: ResolvedField,
  given: unknown,
  options: MatchOptions,
  context: LowerContext,
): Predicate {
  return lenient(options.lenient, () => {
    const field = searchable(resolved, 'match')
    if (field.valueType === 'string' && options.near) return fuzzyPredicate(field, String(given), options.near)
    if (field.valueType !== 'text') return termPredicate(field, given, context)
    const places = wordsOnly(placesOf(field, String(given), options, context))
    if (places.length === 0) return options.zeroTerms === 'all' ? all : none
    const needed = options.operator === 'and' ? places.length : wordsToMatch(options.minimumShouldMatch, places.length)
    const tokens = places.flatMap((place) => place.flat())
    if (options.near) return fuzzyWords(field, tokens, needed, options.near)
    const single = places.every((place) => place.every(({ length }) => length === 1))
    if (single && (needed === 1 || tokens.length === places.length))
      return { op: 'tokens', field: fieldOf(field), tokens, count: needed }
    const members = places.map((place) => atPlace(field, place, options.synonymPhrases !== false))
    if (needed === 1) return or(members)
    return needed === members.length ? and(members) : { op: 'at-least', count: needed, of: members }
  })
}

/** What `match` on one field adds to the score: words that stand for each other count as one. */
export function matchScore(
  resolved: ResolvedField,
  given: unknown,
  options: MatchOptions,
  context: LowerContext,
): Score {
  const found = matchPredicate(resolved, given, options, context)
  if (found.op === 'none' || resolved.valueType !== 'text' || options.near) return scoreOf(found)
  const field = searchable(resolved)
  const places = wordsOnly(placesOf(field, String(given), options, context))
  const isOneWord = (place: Place) => place.length > 1 && place.every(({ length }) => length === 1)
  if (!places.some(isOneWord)) return scoreOf(found)
  const of = places.map((place) =>
    isOneWord(place)
      ? scoreOfSynonyms(fieldOf(field), place.flat())
      : scoreOf(atPlace(field, place, options.synonymPhrases !== false)),
  )
  return { op: 'within', when: found, of: { op: 'sum', of } }
}

/** One of what stands for each other: a word, or several in a row. */
export function atPlace(field: SearchableField, place: Place, inRow: boolean): Predicate {
  const words = place.filter(({ length }) => length === 1).flat()
  const phrases = place.filter(({ length }) => length > 1)
  return or([
    ...(words.length === 0 ? [] : [{ op: 'tokens' as const, field: fieldOf(field), tokens: words, count: 1 }]),
    ...phrases.map(
      (tokens): Predicate =>
        inRow
          ? { op: 'phrase', field: fieldOf(field), tokens, slop: 0, prefix: false }
          : { op: 'tokens', field: fieldOf(field), tokens, count: tokens.length },
    ),
  ])
}

/** `match_phrase` and `match_phrase_prefix` on one field. */
export function phrasePredicate(
  resolved: ResolvedField,
  given: unknown,
  options: Cutting & {
    readonly slop: number
    readonly prefix: boolean
    /** Whether the start of a value of another type is refused. */
    readonly onlyText?: boolean | undefined
    readonly zeroTerms?: 'none' | 'all' | undefined
    readonly lenient?: boolean | undefined
  },
  context: LowerContext,
): Predicate {
  return lenient(options.lenient, () => {
    const field = searchable(resolved)
    if (field.valueType !== 'text' && options.prefix && options.onlyText === true)
      throw illegalArgument(
        `Can only use phrase prefix queries on text fields - not on [${field.path}] which is of type [${field.wireType}]`,
      )
    if (field.valueType === 'string' && options.prefix)
      return {
        op: 'pattern',
        field: fieldOf(field),
        pattern: { kind: 'prefix', text: String(given), caseInsensitive: false },
      }
    if (field.valueType !== 'text') return termPredicate(field, given, context)
    const places = placesOf(field, String(given), { ...options, quoted: true }, context)
    if (places.length === 0) return options.zeroTerms === 'all' ? all : none
    const { slop, prefix } = options
    const row = slop === 0 ? indexedRow(field, places, prefix, context) : undefined
    if (row) return row
    return or(readingsOf(places).map((tokens) => ({ op: 'phrase', field: fieldOf(field), tokens, slop, prefix })))
  })
}

/** All words but the last as whole words, the last as the start of one; any of them. */
export function boolPrefixPredicate(
  resolved: ResolvedField,
  given: unknown,
  options: MatchOptions,
  context: LowerContext,
): Predicate {
  const field = searchable(resolved)
  if (field.valueType !== 'text')
    return phrasePredicate(field, given, { slop: 0, prefix: true, lenient: options.lenient }, context)
  const places = wordsOnly(placesOf(field, String(given), options, context))
  const members = places.map((words, place): Predicate => {
    const token = words[0]?.[0] ?? ''
    if (words.length > 1 && place < places.length - 1) return atPlace(field, words, true)
    return place < places.length - 1
      ? options.near
        ? fuzzyPredicate(field, token, options.near)
        : { op: 'tokens', field: fieldOf(field), tokens: [token], count: 1 }
      : startOfWord(field, token, context)
  })
  if (members.length === 0) return none
  const needed = options.operator === 'and' ? members.length : wordsToMatch(options.minimumShouldMatch, members.length)
  return needed === 1 ? or(members) : { op: 'at-least', count: needed, of: members }
}

/** Documents with a word that starts so, the start being written as the column does. */
function startOfWord(field: SearchableField, token: string, context: LowerContext): Predicate {
  const start = { kind: 'prefix', text: token, caseInsensitive: false } as const
  const written = field.words === undefined ? start : { ...start, text: decodeWord(token) }
  return indexedBeginning(field, written, context) ?? { op: 'pattern', field: fieldOf(field), pattern: start }
}

/** Turns a value error into "no match" when the request is lenient. */
export function lenient(on: boolean | undefined, work: () => Predicate): Predicate {
  if (on !== true) return work()
  try {
    return work()
  } catch (thrown) {
    if (isAppError(thrown) && thrown.kind === 'invalid') return none
    throw thrown
  }
}
