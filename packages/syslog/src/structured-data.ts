/** What stood before the message of an RFC 5424 frame. */
export interface ParsedStructuredData {
  readonly elements: Record<string, Record<string, string>>
  readonly rest: string
}

/** Reads structured data (RFC 5424, 6.3) and leaves the message; undefined when it is malformed. Never throws. */
export function parseStructuredData(text: string): ParsedStructuredData | undefined {
  if (text === '-' || text.startsWith('- ')) return { elements: {}, rest: text.slice(2) }
  // No prototype: an element may be called `__proto__`.
  const elements: Record<string, Record<string, string>> = Object.create(null)
  let at = 0
  while (text[at] === '[') {
    const element = readElement(text, at + 1)
    if (!element) return undefined
    elements[element.id] = element.parameters
    at = element.end
  }
  if (at === 0) return undefined
  if (at < text.length && text[at] !== ' ') return undefined
  return { elements, rest: text.slice(at + 1) }
}

function readElement(text: string, start: number) {
  const parameters: Record<string, string> = Object.create(null)
  let at = nameEnd(text, start)
  const id = text.slice(start, at)
  if (id === '') return undefined
  while (text[at] === ' ') {
    const nameStart = at + 1
    const end = nameEnd(text, nameStart)
    if (end === nameStart || text[end] !== '=' || text[end + 1] !== '"') return undefined
    const value = readQuoted(text, end + 2)
    if (!value) return undefined
    parameters[text.slice(nameStart, end)] = value.text
    at = value.end
  }
  return text[at] === ']' ? { id, parameters, end: at + 1 } : undefined
}

function nameEnd(text: string, start: number): number {
  let at = start
  while (at < text.length && !' =]"'.includes(text[at] ?? '')) at += 1
  return at
}

function readQuoted(text: string, start: number): { text: string; end: number } | undefined {
  let out = ''
  for (let at = start; at < text.length; at += 1) {
    const char = text[at]
    const next = text[at + 1]
    if (char === '\\' && (next === '"' || next === '\\' || next === ']')) {
      out += next
      at += 1
    } else if (char === '"') return { text: out, end: at + 1 }
    else out += char
  }
  return undefined
}
