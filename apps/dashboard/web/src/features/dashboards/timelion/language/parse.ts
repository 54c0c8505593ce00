import { limits } from './limits.ts'
import { type Argument, type Call, type Expression, type Literal, placeOf, TimelionError } from './tree.ts'

/**
 * Reads an expression into its chains, in their order. Throws `TimelionError` for what is no expression, with the place, and for one that is too long
 * or too deep.
 */
export function parseTimelion(expression: string): Expression[] {
  if (expression.length > limits.letters)
    throw new TimelionError(`The expression has ${expression.length} letters: at most ${limits.letters} are read`)
  return new Parser(expression).sheet()
}

const namePattern = /[a-zA-Z][.\w-]*/y
const numberPattern = /\.\d[\d.eE+-]*/y
const barePattern = /[^()"',=\s]+/y
const spacePattern = /\s*/y
const digitsPattern = /\d+/y

class Parser {
  readonly #text: string
  readonly #variables = new Map<string, Expression>()
  #at = 0
  #calls = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  sheet(): Expression[] {
    const found = this.#series()
    if (this.#at < this.#text.length) throw this.#unexpected('the end of the expression')
    if (found.length === 0)
      throw new TimelionError('The expression draws nothing: it needs a data source, such as .es()')
    return found
  }

  /** Series one after the other, with commas or, as old Kibanas had it, without. */
  #series(): Expression[] {
    const found: Expression[] = []
    this.#skipSpace()
    while (this.#at < this.#text.length && this.#text[this.#at] !== ')') {
      const one = this.#assigned() ?? this.#seriesValue()
      if (one === undefined) throw this.#unexpected('a data source, such as .es()')
      if (one !== 'assigned') found.push(one)
      this.#skipComma()
    }
    return found
  }

  /** `$name = value`, which is no series itself. */
  #assigned(): 'assigned' | undefined {
    const start = this.#at
    const name = this.#taken('$') ? this.#match(namePattern) : undefined
    this.#skipSpace()
    if (name === undefined || !this.#taken('=')) {
      this.#at = start
      return undefined
    }
    this.#skipSpace()
    this.#variables.set(name, this.#value())
    return 'assigned'
  }

  #seriesValue(): Expression | undefined {
    const letter = this.#text[this.#at]
    if (letter === '$') return this.#variable()
    if (letter === '@') return this.#reference()
    if (letter === '(') return this.#nested(() => this.#group())
    return letter === '.' && !this.#isNumber() ? { kind: 'chain', calls: this.#chain() } : undefined
  }

  #variable(): Expression | undefined {
    const start = this.#at
    this.#at++
    const name = this.#match(namePattern)
    // `$1` is what a label puts in place of a part of a pattern.
    if (name === undefined) return this.#back(start)
    const found = this.#variables.get(name)
    if (found) return found
    throw this.#error(`The variable $${name} is given no value before it is used`, start)
  }

  #reference(): Expression | undefined {
    const start = this.#at
    this.#at++
    const sheet = this.#match(digitsPattern)
    // `@timestamp` is the name of a field.
    if (sheet === undefined) return this.#back(start)
    const chain = this.#taken(':') ? this.#match(digitsPattern) : undefined
    return {
      kind: 'reference',
      sheet: Number(sheet),
      ...(chain === undefined ? {} : { chain: Number(chain) }),
      at: start,
    }
  }

  #group(): Expression {
    this.#at++
    const group = this.#series()
    this.#expect(')')
    return { kind: 'chain', group, calls: this.#chain() }
  }

  #chain(): Call[] {
    const calls: Call[] = []
    for (;;) {
      const start = this.#at
      this.#skipSpace()
      if (this.#text[this.#at] !== '.') {
        this.#at = start
        return calls
      }
      calls.push(this.#nested(() => this.#call()))
    }
  }

  #call(): Call {
    const at = this.#at
    this.#at++
    const name = this.#match(namePattern)
    if (name === undefined) throw this.#error('The name of a function is missing', at)
    this.#calls++
    if (this.#calls > limits.calls)
      throw new TimelionError(`The expression calls more than ${limits.calls} functions: so many are not calculated`)
    this.#skipSpace()
    this.#expect('(')
    const given: Argument[] = []
    this.#skipSpace()
    while (this.#at < this.#text.length && this.#text[this.#at] !== ')') {
      given.push(this.#argument())
      this.#skipComma()
    }
    this.#expect(')')
    return { name, arguments: given, at, text: this.#text.slice(at, this.#at) }
  }

  #argument(): Argument {
    const start = this.#at
    const name = this.#match(namePattern)
    this.#skipSpace()
    if (name !== undefined && this.#taken('=')) {
      this.#skipSpace()
      return { name, value: this.#value() }
    }
    this.#at = start
    return { value: this.#value() }
  }

  #value(): Expression {
    return this.#seriesValue() ?? { kind: 'literal', at: this.#at, value: this.#literal() }
  }

  #literal(): Literal {
    const letter = this.#text[this.#at]
    if (letter === '"' || letter === "'") return this.#quoted(letter)
    const bare = this.#match(barePattern)
    if (bare === undefined) throw this.#unexpected('a value')
    const words: Readonly<Record<string, Literal>> = { true: true, false: false, null: null }
    if (Object.hasOwn(words, bare)) return words[bare] ?? null
    const number = Number(bare)
    return Number.isFinite(number) ? number : bare
  }

  /** A quote and a backslash follow a backslash; before anything else it stands for itself, as in patterns. */
  #quoted(quote: string): string {
    const start = this.#at
    let found = ''
    for (this.#at++; this.#at < this.#text.length; this.#at++) {
      let letter = this.#text[this.#at] ?? ''
      if (letter === quote) {
        this.#at++
        return found
      }
      const next = this.#text[this.#at + 1]
      if (letter === '\\' && (next === quote || next === '\\')) {
        letter = next
        this.#at++
      }
      found += letter
    }
    throw this.#error('The text that begins here does not end: its quote is missing', start)
  }

  #isNumber(): boolean {
    numberPattern.lastIndex = this.#at
    return numberPattern.test(this.#text)
  }

  #nested<T>(read: () => T): T {
    this.#depth++
    if (this.#depth > limits.depth)
      throw this.#error(`The expression is more than ${limits.depth} levels deep`, this.#at)
    const found = read()
    this.#depth--
    return found
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const [found] = pattern.exec(this.#text) ?? []
    this.#at += found?.length ?? 0
    return found
  }

  #taken(letter: string): boolean {
    if (this.#text[this.#at] !== letter) return false
    this.#at++
    return true
  }

  #back(start: number): undefined {
    this.#at = start
    return undefined
  }

  #skipSpace(): void {
    this.#match(spacePattern)
  }

  #skipComma(): void {
    this.#skipSpace()
    this.#taken(',')
    this.#skipSpace()
  }

  #expect(letter: string): void {
    if (!this.#taken(letter)) throw this.#unexpected(`“${letter}”`)
  }

  #unexpected(wanted: string): TimelionError {
    return this.#error(`Expected ${wanted}`, this.#at)
  }

  #error(message: string, at: number): TimelionError {
    return new TimelionError(`${message}\n${placeOf(this.#text, at)}`)
  }
}
