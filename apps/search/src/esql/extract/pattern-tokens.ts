/** A piece of a pattern of this runtime; a look-around is one with all that stands in it. */
export interface PatternToken {
  readonly kind: 'letters' | 'place' | 'look' | 'reference' | 'open' | 'close' | 'or' | 'times'
  readonly text: string
  /** Where it begins. */
  readonly at: number
  /** The name of a group. */
  readonly name: string | undefined
}

const token =
  /\\(?:x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|k<[^>]*>|.)|\[(?:\\.|[^\]\\])*\]|\(\?<?[=!]|\(\?<([A-Za-z_]\w*)>|\(\?(?:[a-z-]*):|\(|\)|(?:[*+?]|\{\d+(?:,\d*)?\})\??|[\s\S]/suy

/** The pieces of a pattern in their order. */
export function tokensOf(source: string): readonly PatternToken[] {
  const tokens: PatternToken[] = []
  for (let at = 0; at < source.length; ) {
    token.lastIndex = at
    const [text = '', name] = token.exec(source) ?? []
    const isLook = /^\(\?<?[=!]$/u.test(text)
    const end = isLook ? closing(source, at + text.length) + 1 : at + Math.max(1, text.length)
    tokens.push({ kind: isLook ? 'look' : kindOf(text), text: source.slice(at, end), at, name })
    at = end
  }
  return tokens
}

function kindOf(text: string): PatternToken['kind'] {
  if (text.startsWith('(')) return 'open'
  if (text === ')') return 'close'
  if (text === '|') return 'or'
  if (/^(?:[*+?]|\{\d+(?:,\d*)?\})\??$/u.test(text)) return 'times'
  if (/^\\(?:[1-9]|k)/u.test(text)) return 'reference'
  return ['^', '$', '\\b', '\\B'].includes(text) ? 'place' : 'letters'
}

/** Where the parenthesis ends whose content begins at a place. */
function closing(source: string, from: number): number {
  let depth = 1
  for (let at = from; at < source.length; ) {
    token.lastIndex = at
    const [text = ''] = token.exec(source) ?? []
    if (text === ')') depth -= 1
    else if (text.startsWith('(')) depth += 1
    if (depth === 0) return at
    at += Math.max(1, text.length)
  }
  return source.length
}
