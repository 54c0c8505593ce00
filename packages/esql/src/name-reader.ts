import { syntaxError } from '@logstack/errors'
import type { NamePattern } from './ast.ts'
import { aName, anIdentifier } from './expected.ts'
import { type Parameter, TokenReader } from './token-reader.ts'
import type { Token } from './tokens.ts'

/** Reads names of columns. */
export class NameReader extends TokenReader {
  /** A name with its parts: `a.b.`c d``; a `*` in a part that is not quoted makes it a pattern. */
  name(): NamePattern {
    const { from } = this.peek()
    const parts: string[] = []
    let isPattern = false
    do {
      const token = this.peek()
      if (token.kind === 'parameter') {
        const { value, kind } = this.#nameParameter(token)
        isPattern ||= kind === 'pattern'
        parts.push(String(value))
        continue
      }
      if (token.kind !== 'name' && token.kind !== 'quoted') this.#refuseName(token)
      const pieces = [this.take()]
      while (this.tokens.takesPatterns && this.#continues()) pieces.push(this.take())
      isPattern ||= pieces.some((piece) => piece.kind === 'name' && piece.text.includes('*'))
      parts.push(pieces.map(({ text }) => text).join(''))
    } while (this.peek().from === this.end && this.takeSign('.'))
    return { name: parts.join('.'), isPattern, from, to: this.end }
  }

  /** What a `?` in the place of a name stands for. */
  #nameParameter(token: Token): Parameter {
    const found = this.parameter(token)
    if (found.kind !== 'value' || token.text.startsWith('??')) return found
    const reason = `Query parameter [${token.text}] with value [${String(found.value)}] declared as a constant, cannot be used as an identifier or pattern`
    throw syntaxError(this.text, token.from, reason)
  }

  #continues(): boolean {
    const next = this.peek()
    return next.from === this.end && (next.kind === 'name' || next.kind === 'quoted')
  }

  #refuseName(token: Token): never {
    if (!this.tokens.takesPatterns) this.refuse(anIdentifier)
    if (token.kind === 'sign' ? !listSigns.has(token.text) : token.kind !== 'end') this.tokens.unknownSign(token.from)
    return this.refuse(aName)
  }
}

/** The signs that lists of names know. */
const listSigns: ReadonlySet<string> = new Set([',', '.', '|', '='])
