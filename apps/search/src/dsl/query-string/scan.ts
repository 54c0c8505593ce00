import { AppError, searchErrors } from '@logstack/errors'

/** A piece of a query string. `word` keeps its text both unescaped and, for patterns, as written. */
export type Token =
  | { readonly kind: 'word'; readonly text: string; readonly raw: string; readonly wild: boolean }
  | { readonly kind: 'quoted'; readonly text: string }
  | { readonly kind: 'regexp'; readonly source: string }
  | {
      readonly kind: 'range'
      readonly low: string | undefined
      readonly high: string | undefined
      readonly includeLow: boolean
      readonly includeHigh: boolean
    }
  /** `^2`, `~`, `~3`. */
  | { readonly kind: 'suffix'; readonly mark: '^' | '~'; readonly value: string }
  | { readonly kind: 'and' | 'or' | 'not' | 'plus' | 'minus' | 'open' | 'close' | 'colon' | 'end' }

/** A query string that cannot be parsed. */
export function syntaxError(query: string, why: string): AppError {
  return new AppError(searchErrors.query_string_parse_exception, `Cannot parse '${query}': ${why}`)
}

const space = /[ \t\n\r\u3000]/u
const wordEnd = /[ \t\n\r\u3000!():^[\]"{}~/]/u
const single = { '(': 'open', ')': 'close', ':': 'colon', '+': 'plus', '-': 'minus', '!': 'not' } as const
const named = { AND: 'and', OR: 'or', NOT: 'not', '&&': 'and', '||': 'or' } as const

/** Splits a query string into tokens; throws `query_string_parse_exception`. */
export function scan(query: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < query.length) {
    const character = query.charAt(at)
    if (space.test(character)) at++
    else {
      const [token, next] = tokenAt(query, at, character)
      tokens.push(token)
      at = next
    }
  }
  tokens.push({ kind: 'end' })
  return tokens
}

function tokenAt(query: string, at: number, character: string): [Token, number] {
  if (Object.hasOwn(single, character)) return [{ kind: single[character as keyof typeof single] }, at + 1]
  if (query.startsWith('&&', at) || query.startsWith('||', at))
    return [{ kind: character === '&' ? 'and' : 'or' }, at + 2]
  switch (character) {
    case '"': {
      const [text, next] = delimited(query, at, '"')
      return [{ kind: 'quoted', text: withoutEscapes(text, query) }, next]
    }
    case '/': {
      const [text, next] = delimited(query, at, '/')
      return [{ kind: 'regexp', source: text.replaceAll('\\/', '/') }, next]
    }
    case '[':
    case '{':
      return rangeAt(query, at)
    case '^':
    case '~': {
      const value = /^[\d.]*/u.exec(query.slice(at + 1))?.[0] ?? ''
      if (character === '^' && value === '') throw syntaxError(query, `a number is missing after ^ at position ${at}`)
      return [{ kind: 'suffix', mark: character, value }, at + 1 + value.length]
    }
    case ']':
    case '}':
      throw syntaxError(query, `unexpected ${character} at position ${at}`)
    default:
      return wordAt(query, at)
  }
}

function wordAt(query: string, start: number): [Token, number] {
  let at = start
  let wild = false
  while (at < query.length && !wordEnd.test(query.charAt(at))) {
    const character = query.charAt(at)
    if (character === '\\') {
      if (at + 1 >= query.length) throw syntaxError(query, 'Term can not end with escape character.')
      at++
    } else if (character === '*' || character === '?') wild = true
    at++
  }
  const raw = query.slice(start, at)
  if (Object.hasOwn(named, raw)) return [{ kind: named[raw as keyof typeof named] }, at]
  return [{ kind: 'word', text: withoutEscapes(raw, query), raw, wild }, at]
}

/** The text between delimiters, escapes kept, and the position after it. */
function delimited(query: string, start: number, close: string): [string, number] {
  for (let at = start + 1; at < query.length; at++) {
    if (query.charAt(at) === '\\') at++
    else if (query.charAt(at) === close) return [query.slice(start + 1, at), at + 1]
  }
  throw syntaxError(query, `Lexical error: ${close} at position ${start} is not closed`)
}

function rangeAt(query: string, start: number): [Token, number] {
  const bound = /\s*(?:"((?:[^"\\]|\\.)*)"|((?:[^\s\]}"\\]|\\.)+))/uy
  const read = (from: number): [string | undefined, number] => {
    bound.lastIndex = from
    const found = bound.exec(query)
    if (!found) throw syntaxError(query, `a bound of the range at position ${start} is missing`)
    const plain = found[2]
    return [plain === '*' ? undefined : withoutEscapes(found[1] ?? plain ?? '', query), bound.lastIndex]
  }
  const [low, afterLow] = read(start + 1)
  const to = /\s+(?:TO\s+)?/uy
  to.lastIndex = afterLow
  if (!to.test(query)) throw syntaxError(query, `TO is missing in the range at position ${start}`)
  const [high, afterHigh] = read(to.lastIndex)
  const close = /\s*([\]}])/uy
  close.lastIndex = afterHigh
  const end = close.exec(query)
  if (!end) throw syntaxError(query, `the range at position ${start} is not closed`)
  const includeLow = query.charAt(start) === '['
  return [{ kind: 'range', low, high, includeLow, includeHigh: end[1] === ']' }, close.lastIndex]
}

/** Takes backslashes away; `\u0041` is that character. */
function withoutEscapes(text: string, query: string): string {
  return text.replace(
    /\\(?:u([0-9a-fA-F]{4})|([\s\S]))/gu,
    (_whole, code: string | undefined, character: string | undefined) => {
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
      if (character === 'u') throw syntaxError(query, 'Non-hex character in Unicode escape sequence')
      return character ?? ''
    },
  )
}
