import type { FieldColumns } from './field-columns.ts'
import { join, list, num, type Sql, sql, str } from './sql.ts'
import { pairsOf, tokensOf, tokensOfMany, tokensOfValue } from './text-tokens.ts'

/** Distinct tokens up to which each is asked of the index by itself where some of them will do; a mention costs half a millisecond of planning. */
const askedEachMax = 8

/** At least `count` of the tokens, each counted as often as it is given. */
export function tokensSql(tokens: readonly string[], count: number, columns: FieldColumns): Sql {
  if (count <= 0) return sql`1`
  if (tokens.length < count) return sql`0`
  const one = indexedTokens(tokens, count, tokensOf(columns.one, columns.cut))
  return columns.many ? sql`(${one} OR ${countedTokens(tokens, count, tokensOfMany(columns.many))})` : one
}

/**
 * Whether one of some texts without an index holds any of the tokens. They are cut as one text, as no token goes over a line feed: the engine thinks half a
 * millisecond about each mention of the expression that cuts, and a word may be looked for in hundreds of fields.
 */
export function tokensOfAnySql(tokens: readonly string[], columns: readonly FieldColumns[]): Sql {
  const texts = columns.flatMap(({ one, many }) => [
    sql`coalesce(${one}, '')`,
    ...(many ? [sql`arrayStringConcat(${many}, '\n')`] : []),
  ])
  const held = tokensOf(sql`concatWithSeparator('\n', ${join(texts, ', ')})`)
  return sql`hasAny(${held}, ${list([...new Set(tokens)].map(str))})`
}

function countedTokens(tokens: readonly string[], count: number, held: Sql): Sql {
  return sql`arrayCount(t -> has(${held}, t), ${list(tokens.map(str))}) >= ${num(count)}`
}

function indexedTokens(tokens: readonly string[], count: number, held: Sql): Sql {
  const distinct = [...new Set(tokens)]
  const wanted = list(distinct.map(str))
  if (count >= tokens.length) return sql`hasAll(${held}, ${wanted})`
  const any = sql`hasAny(${held}, ${wanted})`
  if (count === 1) return any
  if (distinct.length > askedEachMax) return sql`(${any} AND ${countedTokens(tokens, count, held)})`
  const each = distinct.map((token) => sql`hasAny(${held}, ${list([str(token)])})`)
  const times = distinct.map((token) => num(tokens.filter((one) => one === token).length))
  return withAny(
    each,
    sql`arraySum(${list(each.map((one, at) => sql`${one} * ${times[at] ?? num(1)}`))}) >= ${num(count)}`,
  )
}

/**
 * What counts how many of the conditions hold, for rows where any does. The engine asks the token index for each of them only where it sees that the
 * index can rule out rows, and not because of a count (ADR 0007).
 */
export function withAny(conditions: readonly Sql[], counted: Sql): Sql {
  return sql`((${join(conditions, ' OR ')}) AND ${counted})`
}

interface Phrase {
  readonly tokens: readonly string[]
  readonly slop: number
  readonly prefix: boolean
}

/**
 * The tokens of a phrase in one text. Where pairs of words have an index a phrase of two is one of them, and a longer one is looked for among the texts that hold all
 * of its pairs. Otherwise the text index is asked for the tokens first, which is three times faster than the phrase alone; the order is then
 * looked at in the very words that the index is asked with, which a score that is computed in the same statement needs, too: the engine computes what both
 * mention once, and for every row that holds the words, so a part of it behind a condition would be no part done later (ADR 0007).
 */
export function phraseSql(phrase: Phrase, columns: FieldColumns): Sql {
  if (phrase.tokens.length === 0) return sql`0`
  const held = tokensOf(columns.one, columns.cut)
  const whole = phrase.prefix ? phrase.tokens.slice(0, -1) : phrase.tokens
  const besides = columns.pairs && phrase.slop === 0 ? pairsIn(whole) : []
  const holdsAll =
    besides.length === 0
      ? sql`hasAll(${held}, ${list([...new Set(whole)].map(str))})`
      : sql`hasAll(${pairsOf(columns.one, columns.cut)}, ${list(besides.map(str))})`
  const isSaid = phrase.tokens.length === (besides.length === 0 ? 1 : 2)
  const one =
    isSaid && !phrase.prefix
      ? holdsAll
      : columns.cut === undefined || whole.length === 0
        ? guarded(phrase, whole, columns.one, inOrder(phrase, held))
        : sql`(${holdsAll} AND ${inOrder(phrase, held)})`
  if (!columns.many) return one
  return sql`(${one} OR arrayExists(v -> ${inOrder(phrase, tokensOfValue(sql`v`))}, ${columns.many}))`
}

/** Each two tokens that stand side by side, as the index of pairs has them. */
function pairsIn(tokens: readonly string[]): readonly string[] {
  return [...new Set(tokens.slice(1).map((token, at) => `${tokens[at]} ${token}`))]
}

/** Splitting a text into tokens is dear, and done lazily below `if`: only rows that hold the texts of the tokens are split. */
function guarded(phrase: Phrase, whole: readonly string[], column: Sql, ordered: Sql): Sql {
  if (phrase.slop > 0) {
    if (whole.length === 0) return ordered
    const there = [...new Set(whole)].map((token) => sql`position(lowerUTF8(${column}), ${str(token)}) > 0`)
    return sql`if(${join(there, ' AND ')}, ${ordered}, 0)`
  }
  const like = `%${phrase.tokens.map((token) => token.replace(/[\\%_]/gu, '\\$&')).join('%')}%`
  return sql`if(lowerUTF8(${column}) LIKE ${str(like)}, ${ordered}, 0)`
}

function inOrder(phrase: Phrase, held: Sql): Sql {
  if (phrase.slop === 0 && !phrase.prefix) return sql`hasSubstr(${held}, ${list(phrase.tokens.map(str))})`
  const last = phrase.tokens.length - 1
  // Positions of each token less its place in the phrase: the phrase holds when one choice of them spans at most the slop.
  const places = phrase.tokens.map((token, place) => {
    const same = phrase.prefix && place === last ? sql`startsWith(t, ${str(token)})` : sql`t = ${str(token)}`
    return sql`arrayMap(p -> toInt64(p) - ${num(place)}, arrayFilter((p, t) -> ${same}, arrayEnumerate(words), words))`
  })
  const near = places.map((at) => sql`arrayExists(q -> q >= low AND q <= low + ${num(phrase.slop)}, ${at})`)
  const conditions = [...near, ...repeated(phrase).map((same) => standApart(same, places, phrase.slop))]
  // Bound once: each mention of the expression would split the text again.
  return sql`arrayExists(words -> arrayExists(low -> ${join(conditions, ' AND ')}, arrayConcat(${join(places, ', ')})), [${held}])`
}

/** The places in a phrase of each token that it has more than once. */
function repeated({ tokens }: Phrase): number[][] {
  const byToken = new Map<string, number[]>()
  for (const [place, token] of tokens.entries()) byToken.set(token, [...(byToken.get(token) ?? []), place])
  return [...byToken.values()].filter(({ length }) => length > 1)
}

/** One word of a text stands for one of a phrase: a token that it has twice must be there twice. */
function standApart(same: readonly number[], places: readonly Sql[], slop: number): Sql {
  const chosen = same.map(
    (place) =>
      sql`arrayMap(q -> q + ${num(place)}, arrayFilter(q -> q >= low AND q <= low + ${num(slop)}, ${places[place] ?? sql`[]`}))`,
  )
  return sql`length(arrayDistinct(arrayConcat(${join(chosen, ', ')}))) >= ${num(same.length)}`
}
