/** One piece of a Sigma text: literal characters, `*` or `?`. */
export type TextPiece = string | { readonly any: 'one' | 'many' }

/**
 * Splits a Sigma value: `*` and `?` are wildcards, a backslash makes the next `*`, `?` or backslash literal and stands for itself before
 * anything else (Sigma rules specification, escaping).
 */
export function textPieces(value: string): TextPiece[] {
  const pieces: TextPiece[] = []
  let literal = ''
  for (let at = 0; at < value.length; at++) {
    const character = value[at] ?? ''
    const next = value[at + 1]
    if (character === '\\' && (next === '*' || next === '?' || next === '\\')) {
      literal += next
      at++
    } else if (character === '*' || character === '?') {
      if (literal !== '') pieces.push(literal)
      literal = ''
      pieces.push({ any: character === '*' ? 'many' : 'one' })
    } else literal += character
  }
  if (literal !== '') pieces.push(literal)
  return pieces
}

/** A literal text as pieces. */
export function literalPieces(text: string): TextPiece[] {
  return text === '' ? [] : [text]
}

/** The pieces with `*` at the named ends. */
export function widened(pieces: readonly TextPiece[], ends: 'start' | 'end' | 'both'): TextPiece[] {
  const many: TextPiece = { any: 'many' }
  return [...(ends === 'end' ? [] : [many]), ...pieces, ...(ends === 'start' ? [] : [many])]
}

/** Whether a whole text fits the pieces; both in one case. Takes time in proportion to the product of the lengths at worst. */
export function piecesTest(pieces: readonly TextPiece[]): (text: string) => boolean {
  const simple = simpleTest(pieces)
  if (simple) return simple
  const cells = pieces.flatMap((piece): readonly (string | null)[] => {
    if (typeof piece === 'string') return [...piece]
    return piece.any === 'many' ? [null] : ['']
  })
  return (text) => glob(cells, [...text])
}

function simpleTest(pieces: readonly TextPiece[]): ((text: string) => boolean) | undefined {
  const kinds = pieces
    .map((piece) => (typeof piece === 'string' ? 'l' : piece.any === 'many' ? '*' : '?'))
    .join('')
    .replace(/\*+/gu, '*')
  const literal = pieces.find((piece) => typeof piece === 'string') ?? ''
  switch (kinds) {
    case '':
      return (text) => text === ''
    case '*':
      return () => true
    case 'l':
      return (text) => text === literal
    case '*l':
      return (text) => text.endsWith(literal)
    case 'l*':
      return (text) => text.startsWith(literal)
    case '*l*':
      return (text) => text.includes(literal)
    default:
      return undefined
  }
}

// Greedy matching with one way back, to the last star: `null` is a star, '' any one character.
function glob(cells: readonly (string | null)[], text: readonly string[]): boolean {
  let [at, cell, star, mark] = [0, 0, -1, 0]
  while (at < text.length) {
    const wanted = cells[cell]
    if (wanted === null) {
      star = cell++
      mark = at
    } else if (wanted !== undefined && (wanted === '' || wanted === text[at])) {
      cell++
      at++
    } else if (star >= 0) {
      cell = star + 1
      at = ++mark
    } else return false
  }
  while (cells[cell] === null) cell++
  return cell === cells.length
}
