/**
 * Whether a text fits a pattern in which `*` stands for any characters, and nothing else is special. Looked for piece by piece: as a regular
 * expression a pattern of many stars could take for ever.
 */
export function fitsStars(text: string, pattern: string): boolean {
  return fitsPieces(text, pattern.split('*'))
}

/** Whether a text is made of these pieces with any characters between them; one piece is the whole text. */
export function fitsPieces(text: string, pieces: readonly string[]): boolean {
  const [first = '', ...others] = pieces
  const last = others.pop()
  if (last === undefined) return text === first
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  for (const piece of others) {
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return at <= text.length - last.length
}
