import { syntaxError } from '@logstack/errors'

/** What a token is: a name (also each keyword), a backquoted name, a string, a number, a parameter (`?`, `?1`, `?name`, `??name`), a sign, or the end. */
export type TokenKind = 'name' | 'quoted' | 'string' | 'whole' | 'decimal' | 'parameter' | 'sign' | 'end'

/** A token: `text` is what it says, without quotes; `from` and `to` where it stands. */
export interface Token {
  readonly kind: TokenKind
  readonly text: string
  readonly from: number
  readonly to: number
}

const blank = /(?:\s|\/\/[^\r\n]*)+/uy
const commentEdge = /\/\*|\*\//gu
const name = /[\p{L}_@][\p{L}\p{N}_@]*/uy
/** Where commands list names of columns a star is part of a pattern. */
const namePattern = /[\p{L}_@*][\p{L}\p{N}_@*]*/uy
const decimal = /\d+\.\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+/y
const whole = /\d+/y
const parameter = /\?\??(?:[A-Za-z_]\w*|\d+)?/y
const sign = /::|==|=~|!=|<=|>=|[-+*/%<>=,.()[\]{}|:]/y
const tripleQuoted = /"""((?:[^"]|"(?!""))*"{0,2})"""/uy
const quotedText = /"((?:[^"\\\r\n]|\\[tnr"\\])*)"/uy
/** What of a text or a name is right before it goes wrong. */
const openString = /"(?:[^"\\\r\n]|\\[tnr"\\])*(?:\\(?![tnr"\\]))?/uy
const openName = /`(?:[^`]|``)*/uy
const quotedName = /`((?:[^`]|``)+)`/uy

const escapes: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r' }

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/gu, (_whole, letter: string) => escapes[letter] ?? letter)
}

/** The most letters a query may have. */
const lettersMax = 1_000_000

/** Reads the tokens of a query one by one, from any place on. Throws `parsing_exception`. */
export class Tokens {
  readonly text: string
  /** Whether names may have stars: where commands list columns and have no expressions. */
  takesPatterns = false

  constructor(text: string) {
    if (text.length > lettersMax)
      throw syntaxError('', 0, `ESQL statement is too large [${text.length} characters > ${lettersMax}]`)
    this.text = text
  }

  /** The first token at or after an offset. */
  at(offset: number): Token {
    const from = this.#skipSpace(offset)
    if (from >= this.text.length) return { kind: 'end', text: '<EOF>', from, to: from }
    return this.#read(from) ?? this.#refuse(from)
  }

  #skipSpace(offset: number): number {
    let at = offset
    for (;;) {
      blank.lastIndex = at
      const behind = this.#behindComment(blank.test(this.text) ? blank.lastIndex : at)
      if (behind === at) return at
      at = behind
    }
  }

  /** Where a comment ends that begins at an offset; comments may lie in each other. One without an end is none. */
  #behindComment(offset: number): number {
    if (!this.text.startsWith('/*', offset)) return offset
    let depth = 0
    commentEdge.lastIndex = offset
    for (let edge = commentEdge.exec(this.text); edge; edge = commentEdge.exec(this.text)) {
      depth += edge[0] === '/*' ? 1 : -1
      if (depth === 0) return commentEdge.lastIndex
    }
    return offset
  }

  #match(pattern: RegExp, from: number): RegExpExecArray | null {
    pattern.lastIndex = from
    return pattern.exec(this.text)
  }

  #read(from: number): Token | undefined {
    const token = (kind: TokenKind, found: RegExpExecArray, text = found[0]): Token => ({
      kind,
      text,
      from,
      to: from + found[0].length,
    })
    const first = this.text[from] ?? ''
    if (first === '"') {
      const triple = this.#match(tripleQuoted, from)
      if (triple) return token('string', triple, triple[1])
      const text = this.#match(quotedText, from)
      return text ? token('string', text, unescaped(text[1] ?? '')) : undefined
    }
    if (first === '`') {
      const found = this.#match(quotedName, from)
      return found ? token('quoted', found, (found[1] ?? '').replaceAll('``', '`')) : undefined
    }
    for (const [kind, pattern] of [
      ['decimal', decimal],
      ['whole', whole],
      ['name', this.takesPatterns ? namePattern : name],
      ['parameter', parameter],
      ['sign', sign],
    ] as const) {
      const found = this.#match(pattern, from)
      if (found) return token(kind, found)
    }
    return undefined
  }

  #refuse(from: number): never {
    this.unknownSign(from, this.#match(openString, from)?.[0].length ?? this.#match(openName, from)?.[0].length ?? 0)
  }

  /** Throws for a sign that begins no token, or `length` letters behind its beginning none that there is. */
  unknownSign(from: number, length = 0): never {
    const end = Math.min(this.text.length, from + length + 1)
    throw syntaxError(this.text, from, `token recognition error at: '${this.text.slice(from, end)}'`)
  }

  /** The pattern of indices that begins at an offset: up to a comma, a bar, a space or the end. */
  indexPattern(offset: number): Token {
    const from = this.#skipSpace(offset)
    if (this.text[from] === '"') return this.at(from)
    const found = this.#match(/<[^>|"]+>|[^\s,|"()[\]=]+/uy, from)
    if (!found) return this.at(from)
    return { kind: 'name', text: found[0], from, to: from + found[0].length }
  }
}
