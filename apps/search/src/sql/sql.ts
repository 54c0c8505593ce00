const brand: unique symbol = Symbol('sql')

/** SQL text that was built by this file's functions; a bare string is none, so a value cannot slip in unescaped. */
export interface Sql {
  readonly [brand]: true
  readonly text: string
}

function trusted(text: string): Sql {
  return { [brand]: true, text }
}

/** Builds SQL: the literal parts are trusted, every `${…}` must itself be `Sql`. */
export function sql(literals: TemplateStringsArray, ...inserted: Sql[]): Sql {
  let text = literals[0] ?? ''
  for (const [at, piece] of inserted.entries()) text += piece.text + (literals[at + 1] ?? '')
  return trusted(text)
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
  return trusted(pieces.map((piece) => piece.text).join(separator))
}

/** An array literal. */
export function list(pieces: readonly Sql[]): Sql {
  return trusted(`[${pieces.map((piece) => piece.text).join(', ')}]`)
}

/** Nothing: an absent clause. */
export const nothing: Sql = trusted('')
