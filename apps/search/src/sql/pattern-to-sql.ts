import { type Pattern, patternSource, type ValueType, wildcardPieces } from '@logstack/rules'
import type { FieldColumns } from './field-columns.ts'
import { num, type Sql, sql, str } from './sql.ts'
import { tokensOf, tokensOfMany } from './text-tokens.ts'

/** A pattern over the values of a string field, or over the single tokens of a text field. */
export function patternSql(pattern: Pattern, type: ValueType, columns: FieldColumns): Sql {
  const matches = (value: Sql) => matchSql(pattern, value)
  if (type !== 'text') {
    const one = matches(columns.one)
    return columns.many ? sql`(${one} OR arrayExists(x -> ${matches(sql`x`)}, ${columns.many}))` : one
  }
  const one = prefiltered(
    pattern,
    columns.one,
    sql`arrayExists(t -> ${matches(sql`t`)}, ${tokensOf(columns.one, columns.cut)})`,
  )
  return columns.many ? sql`(${one} OR arrayExists(t -> ${matches(sql`t`)}, ${tokensOfMany(columns.many)}))` : one
}

/** Whether a text, one value or one token as a whole, matches a pattern. */
export function matchSql(pattern: Pattern, value: Sql): Sql {
  if (pattern.kind === 'fuzzy') return fuzzySql(pattern, value)
  if (pattern.kind === 'regexp')
    return sql`match(${value}, ${str(`^(?s${pattern.caseInsensitive ? 'i' : ''}:${patternSource(pattern)})$`)})`
  const like = str(likeOf(pattern))
  return pattern.caseInsensitive ? sql`${value} ILIKE ${like}` : sql`${value} LIKE ${like}`
}

/** The engine counts swaps of neighbours among bytes only, letters without swaps: the lesser of both counts. */
function fuzzySql(pattern: Pattern, value: Sql): Sql {
  const { text, edits = 0, prefixLength = 0 } = pattern
  const letters = [...text]
  const long = isAsLong(pattern, value)
  const start =
    prefixLength > 0 ? sql`startsWith(${value}, ${str(letters.slice(0, prefixLength).join(''))}) AND ` : sql``
  return sql`(${start}${long} AND ${distanceSql(pattern, value)} <= ${num(edits)})`
}

function isAsLong({ text, edits = 0 }: Pattern, value: Sql): Sql {
  return sql`abs(toInt32(lengthUTF8(${value})) - ${num([...text].length)}) <= ${num(edits)}`
}

/** By how many edits a value differs from the word of a fuzzy pattern, where they are about as long. */
function distanceSql(pattern: Pattern, value: Sql): Sql {
  const text = str(pattern.text)
  // The engine fails for texts of 64 KiB, also where another condition rules a row out.
  const given = sql`if(${isAsLong(pattern, value)}, toString(${value}), '')`
  const plain = sql`levenshteinDistanceUTF8(${given}, ${text})`
  return pattern.transpositions === false ? plain : sql`least(${plain}, damerauLevenshteinDistance(${given}, ${text}))`
}

/** How near a value that matches a fuzzy pattern is to its word: 1 is the word itself, as Lucene weighs them. */
export function nearnessSql(pattern: Pattern, value: Sql): Sql {
  const shorter = sql`least(lengthUTF8(${value}), ${num([...pattern.text].length)})`
  return sql`greatest(0, 1 - ${distanceSql(pattern, value)} / ${shorter})`
}

/** The engine's LIKE pattern: `%` any text, `_` one character, backslash before either for itself. */
function likeOf(pattern: Pattern): string {
  const escapeLike = (text: string) => text.replace(/[\\%_]/gu, '\\$&')
  if (pattern.kind === 'prefix') return `${escapeLike(pattern.text)}%`
  return wildcardPieces(pattern.text)
    .map((piece) => ('literal' in piece ? escapeLike(piece.literal) : piece.any === 'many' ? '%' : '_'))
    .join('')
}

/** Splitting every text into tokens is dear: only rows that hold the pattern's longest literal part are split. */
function prefiltered(pattern: Pattern, column: Sql, condition: Sql): Sql {
  if (pattern.kind === 'regexp' || pattern.kind === 'fuzzy') return condition
  const literals =
    pattern.kind === 'prefix'
      ? [pattern.text]
      : wildcardPieces(pattern.text).flatMap((piece) => ('literal' in piece ? [piece.literal] : []))
  const longest = literals.reduce((best, text) => (text.length > best.length ? text : best), '')
  if (longest === '') return condition
  return sql`if(position(lowerUTF8(${column}), ${str(longest.toLowerCase())}) > 0, ${condition}, 0)`
}
