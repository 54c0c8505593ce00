import { type AppError, syntaxError } from '@logstack/errors'
import { type Token, tokenize } from './lexer.ts'

/** Words that are no names of fields unless they stand in backquotes. */
const keywords = new Set([
  'and',
  'any',
  'by',
  'false',
  'in',
  'join',
  'like',
  'maxspan',
  'not',
  'null',
  'of',
  'or',
  'regex',
  'sample',
  'sequence',
  'true',
  'until',
  'where',
  'with',
])

/** Steps through the words of a query. */
export class TokenReader {
  readonly query: string
  readonly #tokens: readonly Token[]
  #next = 0

  constructor(query: string) {
    this.query = query
    this.#tokens = tokenize(query)
  }

  /** The word that comes next, or one further on. */
  peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#next + ahead, this.#tokens.length - 1)] as Token
  }

  /** Where the word before ends. */
  get lastEnd(): number {
    return this.#tokens[this.#next - 1]?.end ?? 0
  }

  take(): Token {
    const token = this.peek()
    if (token.kind !== 'end') this.#next += 1
    return token
  }

  isSymbol(value: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token.kind === 'symbol' && token.value === value
  }

  isWord(value: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token.bare && token.value === value
  }

  /** A name that is no keyword. */
  isName(): boolean {
    const token = this.peek()
    return token.kind === 'name' && !(token.bare && keywords.has(token.value))
  }

  /** Takes the symbol if it comes next. */
  skipSymbol(value: string): boolean {
    if (!this.isSymbol(value)) return false
    this.take()
    return true
  }

  /** Takes the word if it comes next. */
  skipWord(value: string): boolean {
    if (!this.isWord(value)) return false
    this.take()
    return true
  }

  /** Throws `parsing_exception` unless the symbol comes next. */
  expectSymbol(value: string): void {
    if (!this.skipSymbol(value)) throw this.mismatch(`'${value}'`)
  }

  /** Throws `parsing_exception` unless the word comes next. */
  expectWord(value: string): void {
    if (!this.skipWord(value)) throw this.mismatch(`'${value}'`)
  }

  /** The error that something else should come next. */
  mismatch(expected: string): AppError {
    const { at, text } = this.peek()
    const shown = text.length > shownCharsMax ? `${text.slice(0, shownCharsMax)}…` : text
    return syntaxError(this.query, at, `mismatched input '${shown}' expecting ${expected}`)
  }

  /** The error of what stands at a place. */
  error(at: number, message: string): AppError {
    return syntaxError(this.query, at, message)
  }
}

/** Characters of a word that an error shows. */
const shownCharsMax = 100
