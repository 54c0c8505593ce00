import { AppError, dashboardErrors } from '@logstack/errors'
import type { KqlText } from './ast.ts'

const special = new Set(['(', ')', ':', '<', '>', '"', '{', '}'])
const keyword = /^(and|or|not)(?=[\s()"{}:<>]|$)/i
const escapedKeyword = /^\\(and|or|not)(?=[\s()"{}:<>]|$)/i
const escapes: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r' }

/** Walks over the text of one query and reads its words; used by the parser only. */
export class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  skipSpace(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++
  }

  atEnd(): boolean {
    return this.#at >= this.#text.length
  }

  /** Skips white space and takes `symbol` if it comes next. */
  take(symbol: string): boolean {
    this.skipSpace()
    if (!this.#text.startsWith(symbol, this.#at)) return false
    this.#at += symbol.length
    return true
  }

  /** Skips white space and takes the keyword if it stands there as a word of its own. */
  takeKeyword(word: 'and' | 'or' | 'not'): boolean {
    this.skipSpace()
    const found = keyword.exec(this.#text.slice(this.#at, this.#at + 4))
    if (found?.[1]?.toLowerCase() !== word) return false
    this.#at += word.length
    return true
  }

  /** Reads a quoted or unquoted word; throws `kql_syntax` when there is none. */
  readText(): KqlText {
    this.skipSpace()
    if (this.#text[this.#at] === '"') return this.#readQuoted()
    const start = this.#at
    const pieces = this.#readUnquoted()
    if (this.#at === start) throw this.unexpected('a field or a value')
    return { pieces, quoted: false }
  }

  unexpected(expected: string): AppError {
    const found = this.atEnd() ? 'the query ends' : `[${this.#text[this.#at]}] stands`
    return new AppError(
      dashboardErrors.kql_syntax,
      `expected ${expected} at position ${this.#at + 1}, where ${found}`,
      { detail: { position: this.#at } },
    )
  }

  #readQuoted(): KqlText {
    const start = this.#at++
    let value = ''
    while (!this.atEnd()) {
      const char = this.#text[this.#at++]
      if (char === '"') return { pieces: [value], quoted: true }
      value += char === '\\' ? this.#readEscape() : char
    }
    this.#at = start
    throw new AppError(dashboardErrors.kql_syntax, `the quote at position ${start + 1} has no end`, {
      detail: { position: start },
    })
  }

  #readEscape(): string {
    const char = this.#text[this.#at]
    if (char === undefined) return '\\'
    this.#at++
    if (char === 'u') {
      const code = /^[0-9a-f]{4}/i.exec(this.#text.slice(this.#at, this.#at + 4))
      if (!code) return 'u'
      this.#at += 4
      return String.fromCharCode(Number.parseInt(code[0], 16))
    }
    return escapes[char] ?? char
  }

  // White space at the end of a word belongs to no word unless it was escaped.
  #readUnquoted(): string[] {
    const pieces = ['']
    let pendingSpace = ''
    const append = (text: string): void => {
      pieces[pieces.length - 1] += pendingSpace + text
      pendingSpace = ''
    }
    for (let wordStart = true; !this.atEnd(); ) {
      const char = this.#text[this.#at] ?? ''
      if (special.has(char) || (wordStart && this.#keywordHere())) break
      if (/\s/.test(char)) {
        pendingSpace += char
        this.#at++
        wordStart = true
        continue
      }
      if (char === '*') {
        append('')
        pieces.push('')
        this.#at++
      } else if (char === '\\') append(this.#readEscapedWord())
      else {
        append(char)
        this.#at++
      }
      wordStart = false
    }
    return pieces
  }

  #keywordHere(): boolean {
    return keyword.test(this.#text.slice(this.#at, this.#at + 4))
  }

  #readEscapedWord(): string {
    const found = escapedKeyword.exec(this.#text.slice(this.#at, this.#at + 5))
    if (found?.[1]) {
      this.#at += found[0].length
      return found[1]
    }
    this.#at++
    return this.#readEscape()
  }
}
