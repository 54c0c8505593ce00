import { textOf } from '../painless/java-values.ts'
import { numberOf } from '../painless/typed-number.ts'
import { join, type Sql, sql, str } from './sql.ts'

/** What the text stands between that the engine cannot read as a number, and so shows in its error. */
const [begin, end] = ['refused{{', '}}']
const marked = /refused\{\{(.*?)\}\}/s
const numbers = /<([^<>]*)>/g

/**
 * A Float64 that ends the statement with an error as soon as a row has it. The engine's own `throwIf` takes constants only; this can say which
 * number it is, of texts and of expressions of texts and of numbers; these are shown as Java writes doubles.
 */
export function refusalSql(...pieces: readonly (string | Sql | { readonly number: Sql })[]): Sql {
  const texts = pieces.map((piece) => {
    if (typeof piece === 'string') return str(piece)
    return 'number' in piece ? sql`concat('<', toString(${piece.number}), '>')` : piece
  })
  // Were it constant, the engine would read it before there is a row.
  return sql`toFloat64(concat(materialize(${str(begin)}), ${join([...texts, str(end)], ', ')}))`
}

/** Why a statement was refused by what `refusalSql` made, from the engine's message; undefined for other errors. */
export function refusalOf(message: string): string | undefined {
  return marked.exec(message)?.[1]?.replace(numbers, (_, given: string) => textOf(numberOf('double', doubleOf(given))))
}

/** A number as the engine writes it. */
function doubleOf(text: string): number {
  if (text === 'inf') return Number.POSITIVE_INFINITY
  return text === '-inf' ? Number.NEGATIVE_INFINITY : Number(text)
}
