import { syntaxError } from '@logstack/errors'
import type { Literal } from './ast.ts'
import { type Token, Tokens } from './tokens.ts'

/** A value for a `?` of a query: by its number (from 1) or its name; what stands for a name or a pattern of names is no value. */
export interface Parameter {
  readonly name: string | undefined
  readonly value: Literal
  readonly kind: 'value' | 'identifier' | 'pattern'
}

/** Goes through the tokens of a query, one ahead. */
export class TokenReader {
  readonly tokens: Tokens
  readonly #parameters: readonly Parameter[]
  #offset = 0
  #end = 0
  #unnamed = 0
  #declared: string | undefined
  #peeked: Token | undefined

  constructor(text: string, parameters: readonly Parameter[]) {
    this.tokens = new Tokens(text)
    this.#parameters = parameters
  }

  get text(): string {
    return this.tokens.text
  }

  /** Where the last token that was taken ended. */
  get end(): number {
    return this.#end
  }

  peek(): Token {
    this.#peeked ??= this.tokens.at(this.#offset)
    return this.#peeked
  }

  take(): Token {
    return this.took(this.peek())
  }

  /** Goes on behind a token that was read otherwise. */
  took(token: Token): Token {
    this.#offset = token.to
    this.#end = token.to
    this.#peeked = undefined
    return token
  }

  /** The pattern of indices that stands next. */
  peekIndexPattern(): Token {
    return this.tokens.indexPattern(this.#offset)
  }

  takeIndexPattern(): Token {
    return this.took(this.peekIndexPattern())
  }

  /** Whether nothing more of an item of a list can come. */
  endsField(): boolean {
    return this.peek().kind === 'end' || this.isSign('|') || this.isSign(',')
  }

  /** The token behind the next. */
  second(): Token {
    return this.tokens.at(this.peek().to)
  }

  isKeyword(word: string, token = this.peek()): boolean {
    return token.kind === 'name' && token.text.toLowerCase() === word
  }

  isSign(text: string, token = this.peek()): boolean {
    return token.kind === 'sign' && token.text === text
  }

  takeKeyword(word: string): boolean {
    if (!this.isKeyword(word)) return false
    this.take()
    return true
  }

  takeSign(text: string): boolean {
    if (!this.isSign(text)) return false
    this.take()
    return true
  }

  expectSign(text: string): void {
    if (!this.takeSign(text)) this.refuse(`'${text}'`)
  }

  expectKeyword(word: string): void {
    if (!this.takeKeyword(word)) this.refuse(`'${word}'`)
  }

  /** A token as it was written. */
  written(token: Token): string {
    return token.kind === 'end' ? token.text : this.text.slice(token.from, token.to)
  }

  /** Throws for the next token, in whose place something else was expected. */
  refuse(expected: string, token = this.peek()): never {
    throw syntaxError(this.text, token.from, `mismatched input '${this.written(token)}' expecting ${expected}`)
  }

  /** Throws for what is not there before the next token, which may follow it. */
  miss(expected: string, token = this.peek()): never {
    throw syntaxError(this.text, token.from, `missing ${expected} at '${this.written(token)}'`)
  }

  /** Parameters are all of one kind. */
  #declare(kind: string, { from }: Token): void {
    const before = this.#declared ?? kind
    this.#declared = kind
    if (before === kind) return
    const reason = `Inconsistent parameter declaration, use one of positional, named or anonymous params but not a combination of ${kind} and ${before}`
    throw syntaxError(this.text, from, reason)
  }

  /** What a `?` of the query stands for. */
  parameter(token: Token): Parameter {
    this.took(token)
    const asked = token.text.replace(/^\?\??/u, '')
    this.#declare(asked === '' ? 'anonymous' : /^\d+$/u.test(asked) ? 'positional' : 'named', token)
    let found: Parameter | undefined
    if (asked === '') {
      this.#unnamed += 1
      found = this.#parameters[this.#unnamed - 1]
    } else
      found = /^\d+$/u.test(asked)
        ? this.#parameters[Number(asked) - 1]
        : this.#parameters.findLast(({ name }) => name === asked)
    if (found) return found
    const known = this.#parameters.length
    const reason =
      asked !== '' && !/^\d+$/u.test(asked)
        ? `Unknown query parameter [${asked}]`
        : asked === ''
          ? `Not enough actual parameters ${known}`
          : `No parameter is defined for position ${asked}${known > 0 ? `, did you mean ${known === 1 ? 'position 1' : `any position between 1 and ${known}`}?` : ''}`
    throw syntaxError(this.text, token.from, reason)
  }
}
