/** Where a cursor stands in JSON that is still being written. */
export interface BodyPlace {
  /** Keys from the root to the object around the cursor; lists leave no trace. */
  readonly path: readonly string[]
  /** Whether a key or a value is written. */
  readonly kind: 'key' | 'value'
  /** The key whose value is written. */
  readonly key: string | undefined
  /** Where the word at the cursor begins, without its quote. */
  readonly from: number
  /** Whether the word began with a quote. */
  readonly quoted: boolean
}

interface Container {
  readonly opener: '{' | '['
  /** The key it is the value of; undefined in a list and at the root. */
  readonly key: string | undefined
  /** In an object: the key that was read, until its value ends. */
  current: string | undefined
  /** In an object: whether the colon was seen. */
  afterColon: boolean
}

const token = /"(?:[^"\\\n]|\\.)*"?|[{}[\]:,]|[^\s{}[\]:,"]+|\n/gu

/** The place at the end of `text`, which begins at offset `start` of the whole; undefined outside of any object. */
export function placeAtEnd(text: string, start: number): BodyPlace | undefined {
  const stack: Container[] = []
  let word: { readonly text: string; readonly at: number } | undefined
  for (const found of text.matchAll(token)) {
    const [part] = found
    word = read(stack, part) ? { text: part, at: found.index } : undefined
  }
  const inner = stack.at(-1)
  if (!inner) return undefined
  const isOpen = word !== undefined && word.at + word.text.length === text.length && !isClosed(word.text)
  // After a whole word comes a colon or a comma.
  if (word && !isOpen) return undefined
  const quoted = isOpen && word?.text.startsWith('"') === true
  const from = start + (isOpen && word ? word.at + Number(quoted) : text.length)
  const path = stack.flatMap(({ key }) => key ?? [])
  // In a list of values, what is written belongs to the list's own key.
  if (inner.opener === '[')
    return { path: path.slice(0, -1), kind: 'value', key: inner.key ?? path.at(-1), from, quoted }
  if (inner.afterColon) return { path, kind: 'value', key: inner.current, from, quoted }
  return { path, kind: 'key', key: undefined, from, quoted }
}

/** Takes one token in; answers whether it is a word: a string, a number, what was begun. */
function read(stack: Container[], part: string): boolean {
  const inner = stack.at(-1)
  if (part === '{' || part === '[') {
    const key = inner?.afterColon ? inner.current : undefined
    stack.push({ opener: part, key, current: undefined, afterColon: false })
  } else if (part === '}' || part === ']') stack.pop()
  else if (part === ':' && inner) inner.afterColon = true
  else if (part === ',' && inner) inner.afterColon = false
  else if (part !== '\n') {
    if (inner?.opener === '{' && !inner.afterColon) inner.current = part.replaceAll('"', '')
    return true
  }
  return false
}

function isClosed(word: string): boolean {
  return word.length > 1 && word.startsWith('"') && word.endsWith('"')
}
