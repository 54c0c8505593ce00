/** A part of JSON text: from and to, in UTF-16 units. */
export interface Slice {
  readonly from: number
  readonly to: number
}

const quote = 0x22
const backslash = 0x5c
const openers = new Set([0x7b, 0x5b])
const closers = new Set([0x7d, 0x5d])
const blanks = new Set([0x20, 0x0a, 0x0d, 0x09])
const comma = 0x2c
const colon = 0x3a

/** Where a text that begins at a quote ends. */
function stringEnd(text: string, at: number): number {
  for (let to = text.indexOf('"', at + 1); to >= 0; to = text.indexOf('"', to + 1)) {
    let escapes = 0
    while (text.charCodeAt(to - 1 - escapes) === backslash) escapes += 1
    if (escapes % 2 === 0) return to + 1
  }
  throw new Error('BUG: an answer of a search is not JSON')
}

function valueEnd(text: string, from: number): number {
  let depth = 0
  let at = from
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === quote) at = stringEnd(text, at)
    else if (openers.has(code)) {
      depth += 1
      at += 1
    } else if (closers.has(code)) {
      if (depth === 0) return at
      depth -= 1
      at += 1
    } else if (depth === 0 && (code === comma || blanks.has(code))) return at
    else {
      at += 1
      continue
    }
    if (depth === 0) return at
  }
  return at
}

function afterBlanks(text: string, from: number): number {
  let at = from
  while (blanks.has(text.charCodeAt(at))) at += 1
  return at
}

/** The values of an object of JSON text by their names. Throws for text that is none: it must be what this process wrote. */
export function membersOf(text: string, { from }: Slice): Map<string, Slice> {
  const members = new Map<string, Slice>()
  let at = afterBlanks(text, from + 1)
  while (text.charCodeAt(at) === quote) {
    const nameEnd = stringEnd(text, at)
    const name = JSON.parse(text.slice(at, nameEnd)) as string
    const value = afterBlanks(text, nameEnd)
    if (text.charCodeAt(value) !== colon) throw new Error('BUG: an answer of a search is not JSON')
    const start = afterBlanks(text, value + 1)
    const end = valueEnd(text, start)
    members.set(name, { from: start, to: end })
    at = afterBlanks(text, end)
    if (text.charCodeAt(at) === comma) at = afterBlanks(text, at + 1)
  }
  return members
}

/** The items of a list of JSON text. */
export function itemsOf(text: string, { from }: Slice): Slice[] {
  const items: Slice[] = []
  let at = afterBlanks(text, from + 1)
  while (at < text.length && !closers.has(text.charCodeAt(at))) {
    const end = valueEnd(text, at)
    items.push({ from: at, to: end })
    at = afterBlanks(text, end)
    if (text.charCodeAt(at) === comma) at = afterBlanks(text, at + 1)
  }
  return items
}
