import type { FieldColumns } from './field-columns.ts'
import { join, list, num, type Sql, sql, str } from './sql.ts'
import { tokensOf, tokensOfMany, tokensOfValue } from './text-tokens.ts'

/** At least `count` of the tokens, each counted as often as it is given. */
export function tokensSql(tokens: readonly string[], count: number, columns: FieldColumns): Sql {
  if (count <= 0) return sql`1`
  if (tokens.length < count) return sql`0`
  const wanted = list([...new Set(tokens)].map(str))
  const all = count >= tokens.length
  const counted = (held: Sql) => sql`arrayCount(t -> has(${held}, t), ${list(tokens.map(str))}) >= ${num(count)}`
  const one = indexedTokens(tokensOf(columns.one, columns.cut), wanted, all, count, counted)
  if (!columns.many) return one
  return sql`(${one} OR ${counted(tokensOfMany(columns.many))})`
}

function indexedTokens(held: Sql, wanted: Sql, all: boolean, count: number, counted: (held: Sql) => Sql): Sql {
  if (all) return sql`hasAll(${held}, ${wanted})`
  const any = sql`hasAny(${held}, ${wanted})`
  return count === 1 ? any : sql`(${any} AND ${counted(held)})`
}

/** The tokens of a phrase in one text; the text index is asked for the tokens first, which is three times faster than the phrase alone. */
export function phraseSql(
  phrase: { readonly tokens: readonly string[]; readonly slop: number; readonly prefix: boolean },
  columns: FieldColumns,
): Sql {
  if (phrase.tokens.length === 0) return sql`0`
  const held = tokensOf(columns.one, columns.cut)
  const whole = phrase.prefix ? phrase.tokens.slice(0, -1) : phrase.tokens
  const prefilter = whole.length === 0 ? sql`` : sql`hasAll(${held}, ${list([...new Set(whole)].map(str))}) AND `
  const one =
    phrase.tokens.length === 1 && !phrase.prefix
      ? sql`hasAll(${held}, ${list(phrase.tokens.map(str))})`
      : sql`(${prefilter}${verified(phrase, columns.one)})`
  if (!columns.many) return one
  return sql`(${one} OR arrayExists(v -> ${inOrder(phrase, tokensOfValue(sql`v`))}, ${columns.many}))`
}

/** Splitting a text into tokens is dear, and done lazily below `if`: only rows that hold the texts of the tokens in that order are split. */
function verified(
  phrase: { readonly tokens: readonly string[]; readonly slop: number; readonly prefix: boolean },
  column: Sql,
): Sql {
  const held = tokensOf(column, 'pattern')
  const words = phrase.prefix ? phrase.tokens.slice(0, -1) : phrase.tokens
  if (phrase.slop > 0) {
    if (words.length === 0) return inOrder(phrase, held)
    const there = [...new Set(words)].map((token) => sql`position(lowerUTF8(${column}), ${str(token)}) > 0`)
    return sql`if(${join(there, ' AND ')}, ${inOrder(phrase, held)}, 0)`
  }
  const like = `%${phrase.tokens.map((token) => token.replace(/[\\%_]/gu, '\\$&')).join('%')}%`
  return sql`if(lowerUTF8(${column}) LIKE ${str(like)}, ${inOrder(phrase, held)}, 0)`
}

function inOrder(
  phrase: { readonly tokens: readonly string[]; readonly slop: number; readonly prefix: boolean },
  held: Sql,
): Sql {
  if (phrase.slop === 0 && !phrase.prefix) return sql`hasSubstr(${held}, ${list(phrase.tokens.map(str))})`
  const last = phrase.tokens.length - 1
  // Positions of each token less its place in the phrase: the phrase holds when one choice of them spans at most the slop.
  const places = phrase.tokens.map((token, place) => {
    const same = phrase.prefix && place === last ? sql`startsWith(t, ${str(token)})` : sql`t = ${str(token)}`
    return sql`arrayMap(p -> toInt64(p) - ${num(place)}, arrayFilter((p, t) -> ${same}, arrayEnumerate(words), words))`
  })
  const near = places.map((at) => sql`arrayExists(q -> q >= low AND q <= low + ${num(phrase.slop)}, ${at})`)
  // Bound once: each mention of the expression would split the text again.
  return sql`arrayExists(words -> arrayExists(low -> ${join(near, ' AND ')}, arrayConcat(${join(places, ', ')})), [${held}])`
}
