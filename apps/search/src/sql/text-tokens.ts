import { standardTokenPattern } from '@logstack/rules'
import type { TokenCut } from '../model/table.ts'
import { encodedMarks } from '../tokens/column-words.ts'
import { type Sql, sql, str } from './sql.ts'

const pattern = str(standardTokenPattern)

/**
 * What the engine's own tokenizer of ASCII texts cuts otherwise than the standard pattern: `1,000` and underscores by themselves. And everything
 * beyond ASCII.
 */
const cutOtherwise = str('[0-9][,;][0-9]|(?:^|[^0-9A-Z_a-z])_+(?:[^0-9A-Z_a-z]|$)|[^\\x00-\\x7f]')

/** One text's words by the pattern: 13 µs for a kilobyte. */
function cutByPattern(text: Sql): Sql {
  return sql`extractAll(lowerUTF8(${text}), ${pattern})`
}

/**
 * The same words up to three times as fast, by a tokenizer of the engine wherever that cuts as the pattern does; all texts of up to six of the ASCII
 * characters that matter were compared. The engine computes either branch for its rows only. It is three times as long, which a statement with dozens of
 * clauses feels (ADR 0002): where few rows are cut, the pattern does.
 */
function cutByTokenizer(text: Sql): Sql {
  return sql`if(match(${text}, ${cutOtherwise}), ${cutByPattern(text)}, tokens(lower(${text}), 'asciiCJK'))`
}

/**
 * The tokens of a text column as the engine computes them. A query that says it otherwise than the column's index reads every row. The index is
 * asked with `hasAll` and `hasAny`: `hasAllTokens` splits the wanted tokens once more by its own rules wherever the index does not answer it (in a
 * projection, below `ifNull`), and then misses `10.0.0.1`.
 */
export function tokensOf(column: Sql, by: TokenCut = 'tokenizer'): Sql {
  const text = sql`coalesce(${column}, '')`
  return by === 'pattern' ? cutByPattern(text) : cutByTokenizer(text)
}

/**
 * Each two tokens of a text column that stand side by side, as the index of its pairs has them: those that begin at the first, third, … token, and then the
 * others. No token has a space or a line feed. A function of each pair would say it as well, but the engine cannot compute one (26.7: `First argument for
 * function arrayMap must be a function`) where it reads an index and meets a part without it. It cuts the text once, though it is said twice.
 */
export function pairsOf(column: Sql, by: TokenCut = 'tokenizer'): Sql {
  const tokens = tokensOf(column, by)
  const rowOf = (each: Sql) => sql`arrayStringConcat(${each}, ' ')`
  return sql`extractAll(concat(${rowOf(tokens)}, '\n', ${rowOf(sql`arrayPopFront(${tokens})`)}), '[^ \n]+ [^ \n]+')`
}

/** The tokens of all values of an array companion, as one list; a line feed belongs to no token, so values do not run together. */
export function tokensOfMany(column: Sql): Sql {
  return cutByPattern(sql`arrayStringConcat(${column}, '\n')`)
}

/** The tokens of one text that is no column. */
export function tokensOfValue(value: Sql): Sql {
  return cutByPattern(value)
}

/** Words of a column with an analyzer of its own, as they are in the index (`encodeWord` undone), without the gaps. */
export function decodedWords(words: Sql): Sql {
  const pieces = sql`splitByString(${str(encodedMarks.mark)}, w)`
  const word = sql`arrayStringConcat(arrayMap((p, i) -> if(i % 2 = 0, unhex(p), p), ${pieces}, arrayEnumerate(${pieces})))`
  return sql`arrayMap(w -> ${word}, arrayFilter(w -> w != ${str(encodedMarks.gap)}, ${words}))`
}
