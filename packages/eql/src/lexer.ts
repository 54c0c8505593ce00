import { syntaxError } from '@logstack/errors'

/** A word of a query. `value` is what a string or a quoted name says, `bare` a name without backquotes: it may be a keyword. */
export interface Token {
  readonly kind: 'name' | 'string' | 'number' | 'symbol' | 'end'
  readonly text: string
  readonly at: number
  readonly end: number
  readonly value: string
  readonly bare: boolean
}

/** Characters that a query may have. */
const queryCharsMax = 1_048_576

const blanks = /\s+/y
const numbers = /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/y
const identifier = /[A-Za-z_@][A-Za-z0-9_@]*/y
const symbols = [
  '<=',
  '>=',
  '==',
  '!=',
  '<',
  '>',
  ':',
  '(',
  ')',
  '[',
  ']',
  ',',
  '|',
  '+',
  '-',
  '*',
  '/',
  '%',
  '~',
  '?',
  '!',
  '=',
]
const escapes: Readonly<Record<string, string>> = {
  t: '\t',
  n: '\n',
  r: '\r',
  '"': '"',
  '\\': '\\',
}
const unicode = /u\{([0-9a-fA-F]{2,8})\}/y
const codePointMax = 0x10ffff

/** Takes a query apart into its words, the last one `end`. Throws `parsing_exception` with the place of what is no word. */
export function tokenize(query: string): Token[] {
  if (query.length > queryCharsMax)
    throw syntaxError(query, 0, `the query has more than [${queryCharsMax}] characters: [${query.length}]`)
  const tokens: Token[] = []
  let at = afterBlanks(query, 0)
  while (at < query.length) {
    const token = tokenAt(query, at)
    tokens.push(token)
    at = afterBlanks(query, token.end)
  }
  const { length } = query
  tokens.push({ kind: 'end', text: '<EOF>', at: length, end: length, value: '', bare: false })
  return tokens
}

function matched(pattern: RegExp, query: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(query)?.[0] ?? ''
}

/** Where the next word begins, after blanks and comments. */
function afterBlanks(query: string, from: number): number {
  let at = from
  for (;;) {
    at += matched(blanks, query, at).length
    const end = query.startsWith('//', at)
      ? query.indexOf('\n', at)
      : query.startsWith('/*', at)
        ? closed(query, at)
        : at
    if (end === at) return at
    at = end < 0 ? query.length : end
  }
}

function closed(query: string, at: number): number {
  const end = query.indexOf('*/', at + 2)
  if (end < 0) throw unknown(query, at)
  return end + 2
}

function unknown(query: string, at: number) {
  return syntaxError(query, at, `token recognition error at: '${query.slice(at, at + 2).replace('\n', '\\n')}'`)
}

function tokenAt(query: string, at: number): Token {
  const first = query.charAt(at)
  if (first === '"') return query.startsWith('"""', at) ? rawString(query, at) : string(query, at)
  if (first === "'")
    throw syntaxError(query, at, 'Use double quotes ["] to define string literals, not single quotes [\']')
  if (first === '?' && /["']/.test(query.charAt(at + 1)))
    throw syntaxError(
      query,
      at,
      `Use triple double quotes ["""] to define unescaped string literals, not [?${query.charAt(at + 1)}]`,
    )
  const number = matched(numbers, query, at)
  if (number !== '') return { kind: 'number', ...spelled(query, at, at + number.length), value: number, bare: false }
  if (first === '`' || matched(identifier, query, at) !== '') return name(query, at)
  const symbol = symbols.find((each) => query.startsWith(each, at))
  if (symbol === undefined) throw unknown(query, at)
  return { kind: 'symbol', ...spelled(query, at, at + symbol.length), value: symbol, bare: false }
}

function spelled(query: string, at: number, end: number) {
  return { text: query.slice(at, end), at, end }
}

/** Names with dots between them are one: a path. */
function name(query: string, at: number): Token {
  let end = at
  let value = ''
  let bare = true
  for (;;) {
    if (query.charAt(end) === '`') {
      const quoted = quotedName(query, end)
      value += quoted.value
      end = quoted.end
      bare = false
    } else {
      const part = matched(identifier, query, end)
      value += part
      end += part.length
    }
    const next = query.charAt(end + 1)
    if (query.charAt(end) !== '.' || !(next === '`' || matched(identifier, query, end + 1) !== '')) break
    value += '.'
    end += 1
  }
  return { kind: 'name', ...spelled(query, at, end), value, bare }
}

/** A backquote within is written twice. */
function quotedName(query: string, at: number): { readonly value: string; readonly end: number } {
  let value = ''
  let from = at + 1
  for (;;) {
    const end = query.indexOf('`', from)
    if (end < 0) throw unknown(query, at)
    value += query.slice(from, end)
    if (query.charAt(end + 1) !== '`') {
      if (value === '') throw unknown(query, at)
      return { value, end: end + 1 }
    }
    value += '`'
    from = end + 2
  }
}

/** Nothing in it is escaped; a quote may stand right before the three that end it. */
function rawString(query: string, at: number): Token {
  let close = query.indexOf('"""', at + 3)
  if (close < 0) throw unknown(query, at)
  while (query.charAt(close + 3) === '"') close += 1
  return { kind: 'string', ...spelled(query, at, close + 3), value: query.slice(at + 3, close), bare: false }
}

function string(query: string, start: number): Token {
  const parts: string[] = []
  let from = start + 1
  for (let at = from; at < query.length; at += 1) {
    const character = query.charAt(at)
    if (character === '\n' || character === '\r') break
    if (character === '"') {
      parts.push(query.slice(from, at))
      return { kind: 'string', ...spelled(query, start, at + 1), value: parts.join(''), bare: false }
    }
    if (character !== '\\') continue
    const escaped = escapeAt(query, at)
    parts.push(query.slice(from, at), escaped.value)
    from = escaped.end
    at = escaped.end - 1
  }
  throw unknown(query, start)
}

function escapeAt(query: string, at: number): { readonly value: string; readonly end: number } {
  const letter = query.charAt(at + 1)
  const known = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined
  if (known !== undefined) return { value: known, end: at + 2 }
  unicode.lastIndex = at + 1
  const [whole, digits] = unicode.exec(query) ?? []
  if (whole === undefined || digits === undefined) throw unknown(query, at)
  const codePoint = Number.parseInt(digits, 16)
  if (codePoint > codePointMax || (codePoint >= 0xd800 && codePoint <= 0xdfff))
    throw syntaxError(query, at, `Invalid unicode character code [${digits}]`)
  return { value: String.fromCodePoint(codePoint), end: at + 1 + whole.length }
}
