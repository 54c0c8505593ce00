import { standardTokenPattern } from '@logstack/rules'
import { encodedMarks } from '../analysis/column-words.ts'
import { type Sql, sql, str } from './sql.ts'

const pattern = str(standardTokenPattern)

/**
 * The tokens of a text column as the engine computes them. The text index is declared on this very expression, letter by letter: a query that
 * says it differently reads every row. It is asked with `hasAll` and `hasAny`: `hasAllTokens` splits the wanted tokens once more by its own
 * rules wherever the index does not answer it (in a projection, below `ifNull`), and then misses `10.0.0.1`.
 */
export function tokensOf(column: Sql): Sql {
  return sql`extractAll(lowerUTF8(coalesce(${column}, '')), ${pattern})`
}

/** The tokens of all values of an array companion, as one list; a line feed belongs to no token, so values do not run together. */
export function tokensOfMany(column: Sql): Sql {
  return sql`extractAll(lowerUTF8(arrayStringConcat(${column}, '\n')), ${pattern})`
}

/** The tokens of one text that is no column. */
export function tokensOfValue(value: Sql): Sql {
  return sql`extractAll(lowerUTF8(${value}), ${pattern})`
}

/** Words of a column with an analyzer of its own, as they are in the index (`encodeWord` undone), without the gaps. */
export function decodedWords(words: Sql): Sql {
  const pieces = sql`splitByString(${str(encodedMarks.mark)}, w)`
  const word = sql`arrayStringConcat(arrayMap((p, i) -> if(i % 2 = 0, unhex(p), p), ${pieces}, arrayEnumerate(${pieces})))`
  return sql`arrayMap(w -> ${word}, arrayFilter(w -> w != ${str(encodedMarks.gap)}, ${words}))`
}
