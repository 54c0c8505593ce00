import { isAppError } from '@logstack/errors'
import { all, none, or, type Predicate, tokenize } from '@logstack/rules'
import type { ResolvedField } from '../../indices/model.ts'
import type { LowerContext } from '../define-query.ts'
import { searchable } from './field-value.ts'
import { fuzzyPredicate, fuzzyWords, type Nearness } from './fuzziness.ts'
import { minimumShouldMatch } from './minimum-should-match.ts'
import { fieldOf } from './reporting.ts'
import { termPredicate } from './term.ts'

/** Options of the full-text clauses. */
export interface MatchOptions {
  readonly operator?: 'and' | 'or' | undefined
  readonly minimumShouldMatch?: string | number | undefined
  readonly zeroTerms?: 'none' | 'all' | undefined
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
    const field = searchable(resolved)
    if (field.valueType === 'string' && options.near) return fuzzyPredicate(field, String(given), options.near)
    if (field.valueType !== 'text') return termPredicate(field, given, context)
    const tokens = tokenize(String(given))
    if (tokens.length === 0) return options.zeroTerms === 'all' ? all : none
    const needed =
      options.operator === 'and' ? tokens.length : minimumShouldMatch(options.minimumShouldMatch, tokens.length, 1)
    if (options.near) return fuzzyWords(field, tokens, Math.max(1, needed), options.near)
    return { op: 'tokens', field: fieldOf(field), tokens, count: Math.max(1, needed) }
  })
}

/** `match_phrase` and `match_phrase_prefix` on one field. */
export function phrasePredicate(
  resolved: ResolvedField,
  given: unknown,
  options: {
    readonly slop: number
    readonly prefix: boolean
    readonly zeroTerms?: 'none' | 'all' | undefined
    readonly lenient?: boolean | undefined
  },
  context: LowerContext,
): Predicate {
  return lenient(options.lenient, () => {
    const field = searchable(resolved)
    if (field.valueType === 'string' && options.prefix)
      return {
        op: 'pattern',
        field: fieldOf(field),
        pattern: { kind: 'prefix', text: String(given), caseInsensitive: false },
      }
    if (field.valueType !== 'text') return termPredicate(field, given, context)
    const tokens = tokenize(String(given))
    if (tokens.length === 0) return options.zeroTerms === 'all' ? all : none
    return { op: 'phrase', field: fieldOf(field), tokens, slop: options.slop, prefix: options.prefix }
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
  const tokens = tokenize(String(given))
  const members = tokens.map(
    (token, place): Predicate =>
      place < tokens.length - 1
        ? options.near
          ? fuzzyPredicate(field, token, options.near)
          : { op: 'tokens', field: fieldOf(field), tokens: [token], count: 1 }
        : { op: 'pattern', field: fieldOf(field), pattern: { kind: 'prefix', text: token, caseInsensitive: false } },
  )
  if (members.length === 0) return none
  const needed =
    options.operator === 'and'
      ? members.length
      : Math.max(1, minimumShouldMatch(options.minimumShouldMatch, members.length, 1))
  return needed === 1 ? or(members) : { op: 'at-least', count: needed, of: members }
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
