import type { Statement } from './ast.ts'
import type { Token } from './lexer.ts'
import { ScriptFault } from './script-error.ts'

/** Walks the tokens of a script. */
export class TokenReader {
  readonly #tokens: readonly Token[]
  readonly #readBlock: (reader: TokenReader) => readonly Statement[]
  #next = 0

  /** `readBlock` reads the statements between braces, for lambdas: expressions know no statements. */
  constructor(tokens: readonly Token[], readBlock: (reader: TokenReader) => readonly Statement[]) {
    this.#tokens = tokens
    this.#readBlock = readBlock
  }

  /** The statements of `{…}`. */
  block(): readonly Statement[] {
    return this.#readBlock(this)
  }

  /** The token `ahead` places on, without taking it; past the end the end. */
  peek(ahead = 0): Token {
    const token = this.#tokens[Math.min(this.#next + ahead, this.#tokens.length - 1)]
    if (!token) throw new Error('BUG: a script without an end token')
    return token
  }

  take(): Token {
    const token = this.peek()
    this.#next++
    return token
  }

  /** Whether the token ahead is this operator or word. */
  sees(text: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return (token.kind === 'operator' || token.kind === 'name') && token.text === text
  }

  /** Takes the token when it is this operator or word. */
  accept(text: string): boolean {
    if (!this.sees(text)) return false
    this.take()
    return true
  }

  expect(text: string): Token {
    if (this.sees(text)) return this.take()
    throw this.unexpected(`['${text}']`)
  }

  expectName(): string {
    const token = this.take()
    if (token.kind === 'name') return token.text
    throw new ScriptFault(token.at, `unexpected token ['${token.text}'] was expecting one of [ID].`)
  }

  unexpected(wanted?: string): ScriptFault {
    const token = this.peek()
    if (token.kind === 'end') return new ScriptFault(token.at, 'unexpected end of script.')
    if (wanted === undefined) return new ScriptFault(token.at, `invalid sequence of tokens near ['${token.text}'].`)
    return new ScriptFault(token.at, `unexpected token ['${token.text}'] was expecting one of [${wanted}].`)
  }

  /** A point to come back to. */
  mark(): number {
    return this.#next
  }

  reset(mark: number): void {
    this.#next = mark
  }
}
