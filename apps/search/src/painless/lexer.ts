import { ScriptFault } from './script-error.ts'

/** A word of a script. `value` of strings is unescaped; numbers are read by `number-literal.ts`. */
export type Token =
  | { readonly kind: 'name' | 'operator' | 'number' | 'end'; readonly text: string; readonly at: number }
  | { readonly kind: 'string'; readonly text: string; readonly value: string; readonly at: number }
  | {
      readonly kind: 'regex'
      readonly text: string
      readonly source: string
      readonly flags: string
      readonly at: number
    }

const space = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
const name = /[A-Za-z_$][A-Za-z0-9_$]*/y
const number = /0[xX][0-9a-fA-F]+[lL]?|(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?[lLfFdD]?/y
const operator =
  />>>=|<<=|>>=|>>>|===|!==|\?\.|\?:|->|==~|=~|::|\+\+|--|\+=|-=|\*=|\/=|%=|&=|\^=|\|=|==|!=|<=|>=|&&|\|\||<<|>>|[-+*/%=<>!&|^~?:;,.(){}[\]]/y

const regex = /\/((?:\\[^\n]|[^/\n])+)\/([cilmnsuxU]*)/y

/** Whether a slash behind a token begins a pattern: behind what has a value it divides. */
function mayBePattern(before: Token | undefined): boolean {
  if (!before || before.kind === 'operator') return before === undefined || !/^[)\]]$/.test(before.text)
  return before.kind === 'name' && /^(?:return|instanceof)$/.test(before.text)
}

/** Splits a script into tokens, the last being `end`. */
export function tokenizeScript(source: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.exec(source)?.[0]
  }
  for (;;) {
    at += take(space)?.length ?? 0
    if (at >= source.length) break
    const token = readToken(source, at, take, tokens.at(-1))
    tokens.push(token)
    at += token.text.length
  }
  tokens.push({ kind: 'end', text: '', at: source.length })
  return tokens
}

function readToken(
  source: string,
  at: number,
  take: (pattern: RegExp) => string | undefined,
  before: Token | undefined,
): Token {
  const first = source.charAt(at)
  const pattern = first === '/' && mayBePattern(before) ? take(regex) : undefined
  if (pattern !== undefined) {
    const end = pattern.lastIndexOf('/')
    return { kind: 'regex', text: pattern, source: pattern.slice(1, end), flags: pattern.slice(end + 1), at }
  }
  if (first === "'" || first === '"') return readString(source, at)
  const word = take(name)
  if (word !== undefined) return { kind: 'name', text: word, at }
  const digits = /[0-9.]/.test(first) ? take(number) : undefined
  if (digits !== undefined) return { kind: 'number', text: digits, at }
  const sign = take(operator)
  if (sign !== undefined) return { kind: 'operator', text: sign, at }
  throw new ScriptFault(at, `unexpected character [${first}].`)
}

function readString(source: string, at: number): Token {
  const quote = source.charAt(at)
  let value = ''
  for (let next = at + 1; next < source.length; next++) {
    const character = source.charAt(next)
    if (character === quote) return { kind: 'string', text: source.slice(at, next + 1), value, at }
    if (character === '\\') {
      next++
      const escaped = source.charAt(next)
      if (escaped !== '\\' && escaped !== quote) {
        throw new ScriptFault(
          at,
          `unexpected character [${quote}\\${escaped}]. The only valid escape sequences in strings starting with [${quote}] are [\\\\] and [\\${quote}].`,
        )
      }
      value += escaped
    } else value += character
  }
  throw new ScriptFault(at, `unexpected character [${source.slice(at)}].`)
}
