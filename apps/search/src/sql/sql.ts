const brand: unique symbol = Symbol('sql')

/** What holds of a table while the engine has no row of it above a sequence number. */
export interface Bound {
  /** Catalogue id. */
  readonly table: number
  readonly seq: number
}

/** SQL text that was built by this file's functions; a bare string is none, so a value cannot slip in unescaped. */
export interface Sql {
  readonly [brand]: true
  readonly text: string
  /** The same without the conditions that all rows meet as long as the bounds hold (`shortened`); absent where it has none. */
  readonly shorter?: Shorter
}

/** A text that says the same as another as long as its bounds hold. */
export interface Shorter {
  readonly text: string
  readonly bounds: readonly Bound[]
}

function trusted(text: string, shorter?: Shorter): Sql {
  return shorter ? { [brand]: true, text, shorter } : { [brand]: true, text }
}

/** Puts texts together by way of `write`, and the shorter ones among them as well. */
function composed(pieces: readonly Sql[], write: (texts: readonly string[]) => string): Sql {
  const text = write(pieces.map((piece) => piece.text))
  const bounds = pieces.flatMap(({ shorter }) => shorter?.bounds ?? [])
  if (bounds.length === 0) return trusted(text)
  return trusted(text, { text: write(pieces.map((piece) => piece.shorter?.text ?? piece.text)), bounds })
}

/** Builds SQL: the literal parts are trusted, every `${…}` must itself be `Sql`. */
export function sql(literals: TemplateStringsArray, ...inserted: Sql[]): Sql {
  return composed(inserted, (texts) => {
    let text = literals[0] ?? ''
    for (const [at, piece] of texts.entries()) text += piece + (literals[at + 1] ?? '')
    return text
  })
}

/** Where a condition was left out; literals have no such character. */
const leftOut = '\0 left out \0'

/** A condition that all rows of a table meet as long as the bound holds. */
export function unlessAbove(bound: Bound, condition: Sql): Sql {
  return trusted(condition.text, { text: leftOut, bounds: [bound] })
}

/**
 * The shorter text of a statement as a statement. What is left out must not stand as a constant beside other conditions: of one that asks a text index and
 * stands in a column of the statement, too, the engine then loses the column (`NOT_FOUND_COLUMN_IN_BLOCK`, 26.7).
 */
export function shortened({ text }: Shorter): Sql {
  const others = text.replaceAll(`${leftOut} AND `, '').replaceAll(` AND ${leftOut}`, '')
  return trusted(others.replaceAll(leftOut, 'true'))
}

/** A quoted identifier: a column, table or alias name. */
export function ident(name: string): Sql {
  return trusted(`\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``)
}

/** A type of the engine (`Nullable(Int64)`); it may hold nothing but words, digits, commas, spaces and parentheses. */
export function typeName(type: string): Sql {
  if (!/^[A-Za-z][A-Za-z0-9(), ]*$/.test(type)) throw new Error(`BUG: [${type}] is no type of the engine`)
  return trusted(type)
}

/** A string literal. */
export function str(value: string): Sql {
  const escaped = value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '\\0')
  return trusted(`'${escaped}'`)
}

/** A number literal; integers and bigints exact, other numbers as Float64, NaN and infinities by name. */
export function num(value: number | bigint): Sql {
  if (typeof value === 'bigint' || Number.isSafeInteger(value))
    return trusted(Object.is(value, -0) ? '0' : String(value))
  if (Number.isNaN(value)) return trusted('nan')
  if (!Number.isFinite(value)) return trusted(value > 0 ? 'inf' : '-inf')
  return trusted(`toFloat64('${value}')`)
}

/** A list of pieces with a separator between. */
export function join(pieces: readonly Sql[], separator: ', ' | ' AND ' | ' OR ' | ' UNION ALL ' | ' '): Sql {
  return composed(pieces, (texts) => texts.join(separator))
}

/** An array literal. */
export function list(pieces: readonly Sql[]): Sql {
  return composed(pieces, (texts) => `[${texts.join(', ')}]`)
}

/** Nothing: an absent clause. */
export const nothing: Sql = trusted('')
