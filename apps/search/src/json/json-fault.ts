import { AppError, searchErrors } from '@logstack/errors'
import { lineAndColumn, placeOf } from './json-places.ts'
import { duplicateName } from './json-text.ts'

/** What keeps a text from being JSON, and where a parser that reads it from its beginning stops. */
export interface JsonFault {
  readonly reason: string
  readonly at: number
  /** Whether the text ends too early. */
  readonly isEnd: boolean
}

const wordLetter = /[\p{L}\p{N}_$]/u
const values = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')"
const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const escapes = new Set(['"', '\\', '/', 'b', 'f', 'n', 'r', 't', 'u'])

/** Ends the scan where the text stops being JSON. */
class Fault extends Error {
  readonly fault: JsonFault
  constructor(fault: JsonFault) {
    super(fault.reason)
    this.fault = fault
  }
}

/** The first fault of a text that could not be read as JSON; undefined where it is JSON. Deeper nesting than a reader follows was refused before. */
export function jsonFault(text: string): JsonFault | undefined {
  try {
    new Scan(text).document()
    return undefined
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown.fault
    throw thrown
  }
}

/** The error for a text that is no JSON, as Elasticsearch's reader of JSON reports it. */
export function jsonFaultError(text: string): AppError {
  const { reason, at, isEnd } = jsonFault(text) ?? { reason: 'not JSON', at: text.length, isEnd: false }
  const place = lineAndColumn(text, at)
  if (isEnd) {
    const cause = new AppError(searchErrors.json_e_o_f_exception, reason)
    return new AppError(searchErrors.x_content_e_o_f_exception, `${place} Unexpected end of file`, { cause })
  }
  const cause = new AppError(searchErrors.json_parse_exception, reason)
  return new AppError(searchErrors.x_content_parse_exception, `${place} ${reason}`, { cause })
}

/** Refuses JSON in which a name stands twice in one object: one of the two would be lost without a word. The text is right JSON. */
export function refuseDuplicates(text: string): void {
  const found = duplicateName(text)
  if (!found) return
  const reason = `Duplicate field '${found.name}'`
  const cause = new AppError(searchErrors.json_parse_exception, reason)
  throw new AppError(searchErrors.x_content_parse_exception, `${lineAndColumn(text, found.end)} ${reason}`, { cause })
}

class Scan {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  document(): void {
    this.#value(() => 'Unexpected end-of-input')
    this.#space()
    if (this.#at < this.#text.length) this.#value(() => '')
  }

  #value(atEnd: () => string): void {
    this.#space()
    const first = this.#text[this.#at]
    if (first === undefined) this.#end(atEnd())
    if (first === '{') this.#object()
    else if (first === '[') this.#array()
    else if (first === '"') this.#string('VALUE_STRING')
    else if (first === '-' || (first >= '0' && first <= '9')) this.#number()
    else if (wordLetter.test(first)) this.#word()
    else this.#unexpected(`expected a valid value ${values}`)
  }

  #object(): void {
    const start = this.#at
    this.#at += 1
    this.#space()
    if (this.#took('}')) return
    for (;;) {
      this.#space()
      if (this.#at >= this.#text.length) this.#end(this.#unclosed('Object', start))
      if (this.#text[this.#at] !== '"') this.#unexpected('was expecting double-quote to start field name')
      this.#string('field name')
      this.#space()
      if (this.#at >= this.#text.length) this.#end('Unexpected end-of-input within/between Object entries')
      if (!this.#took(':')) this.#unexpected('was expecting a colon to separate field name and value')
      this.#value(() => 'Unexpected end-of-input within/between Object entries')
      if (this.#closes('}', 'Object', start)) return
    }
  }

  #array(): void {
    const start = this.#at
    this.#at += 1
    this.#space()
    if (this.#took(']')) return
    for (;;) {
      this.#value(() => this.#unclosed('Array', start))
      if (this.#closes(']', 'Array', start)) return
    }
  }

  /** Whether what was begun ends here; goes behind a comma otherwise. */
  #closes(end: '}' | ']', kind: 'Object' | 'Array', start: number): boolean {
    this.#space()
    if (this.#at >= this.#text.length) this.#end(this.#unclosed(kind, start))
    if (this.#took(end)) return true
    if (this.#took(',')) return false
    const found = this.#text[this.#at]
    if (found === '}' || found === ']')
      this.#fail(
        `Unexpected close marker '${found}': expected '${end}' (for ${kind} starting at ${this.#source(start)})`,
      )
    return this.#unexpected(`was expecting comma to separate ${kind} entries`)
  }

  #string(what: string): void {
    for (this.#at += 1; this.#at < this.#text.length; this.#at += 1) {
      const letter = this.#text.charAt(this.#at)
      if (letter === '"') {
        this.#at += 1
        return
      }
      if (letter < ' ')
        this.#fail(
          `Illegal unquoted character ((CTRL-CHAR, code ${letter.charCodeAt(0)})): has to be escaped using backslash to be included in ${what === 'field name' ? 'name' : 'string value'}`,
        )
      if (letter === '\\') this.#escape()
    }
    this.#end(`Unexpected end-of-input in ${what}`)
  }

  #escape(): void {
    this.#at += 1
    const letter = this.#text[this.#at]
    if (letter === undefined) this.#end('Unexpected end-of-input in character escape sequence')
    if (!escapes.has(letter)) this.#fail(`Unrecognized character escape ${this.#shown()}`)
    if (letter !== 'u') return
    for (let digits = 0; digits < 4; digits += 1) {
      this.#at += 1
      if (this.#at >= this.#text.length) this.#end('Unexpected end-of-input in character escape sequence')
      if (!/[0-9a-fA-F]/u.test(this.#text.charAt(this.#at)))
        this.#unexpected('expected a hex-digit for character escape sequence')
    }
  }

  #number(): void {
    numberToken.lastIndex = this.#at
    const token = numberToken.exec(this.#text)?.[0]
    if (token === undefined) {
      this.#at += 1
      if (this.#at >= this.#text.length) this.#end('Unexpected end-of-input in a Number value')
      this.#unexpected('expected digit (0-9) to follow minus sign, for valid numeric value')
    }
    this.#at += token.length
    const next = this.#text[this.#at] ?? ' '
    if (/^-?0$/u.test(token) && /\d/u.test(next)) this.#fail('Invalid numeric value: Leading zeroes not allowed')
    if (next === '.') {
      this.#at += 1
      this.#unexpected('Decimal point not followed by a digit')
    }
    if (wordLetter.test(next)) this.#unexpected('Expected space separating root-level values')
  }

  #word(): void {
    const start = this.#at
    while (this.#at < this.#text.length && wordLetter.test(this.#text.charAt(this.#at))) this.#at += 1
    const word = this.#text.slice(start, this.#at)
    if (word === 'true' || word === 'false' || word === 'null') return
    // The letter behind the word was read, too.
    this.#at = Math.min(this.#at + 1, this.#text.length)
    const shown = word.length > tokenCharsMax ? `${word.slice(0, tokenCharsMax)}...` : word
    this.#fail(`Unrecognized token '${shown}': was expecting ${values}`)
  }

  #space(): void {
    while (' \n\r\t'.includes(this.#text[this.#at] ?? '-')) this.#at += 1
  }

  #took(letter: string): boolean {
    if (this.#text[this.#at] !== letter) return false
    this.#at += 1
    return true
  }

  #shown(): string {
    const letter = this.#text.codePointAt(this.#at) ?? 0
    return `'${String.fromCodePoint(letter)}' (code ${letter})`
  }

  #unclosed(kind: string, start: number): string {
    return `Unexpected end-of-input: expected close marker for ${kind} (start marker at ${this.#source(start)})`
  }

  #source(offset: number): string {
    const { line, col } = placeOf(this.#text, offset)
    return `[Source: (byte[])"${this.#text.slice(0, sourceCharsMax)}"; line: ${line}, column: ${col}]`
  }

  #unexpected(expected: string): never {
    if (this.#at >= this.#text.length) this.#end('Unexpected end-of-input')
    return this.#fail(`Unexpected character (${this.#shown()}): ${expected}`)
  }

  #fail(reason: string): never {
    throw new Fault({ reason, at: this.#at, isEnd: false })
  }

  #end(reason: string): never {
    throw new Fault({ reason, at: this.#text.length, isEnd: true })
  }
}

/** What errors show of a text, and of a word in it. */
const sourceCharsMax = 500
const tokenCharsMax = 256
