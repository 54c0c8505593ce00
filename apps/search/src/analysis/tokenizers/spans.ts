import type { Token } from '../../tokens/token.ts'

/** The matches of a pattern as words at places one after the other; words longer than `lengthMax` are cut. */
export function matchesOf(
  text: string,
  pattern: RegExp,
  type: string | ((text: string) => string),
  lengthMax = 255,
): Token[] {
  const tokens: Token[] = []
  for (const found of text.matchAll(pattern)) {
    const [whole] = found
    for (let from = 0; from < whole.length; from += lengthMax) {
      const piece = whole.slice(from, from + lengthMax)
      const start = found.index + from
      tokens.push({
        text: piece,
        start,
        end: start + piece.length,
        position: tokens.length,
        type: typeof type === 'string' ? type : type(piece),
      })
    }
  }
  return tokens
}

/** The pieces between the matches of a pattern; empty ones are none. */
export function piecesBetween(text: string, pattern: RegExp, type = 'word'): Token[] {
  const tokens: Token[] = []
  let at = 0
  const add = (end: number) => {
    if (end > at) tokens.push({ text: text.slice(at, end), start: at, end, position: tokens.length, type })
  }
  for (const found of text.matchAll(pattern)) {
    add(found.index)
    at = found.index + found[0].length
  }
  add(text.length)
  return tokens
}
