import { syntaxError } from '@logstack/errors'
import type { Arithmetic, Comparison, Expression, Literal, NamePattern } from './ast.ts'
import { isSpan, spanUnit } from './spans.ts'
import { TokenReader } from './token-reader.ts'
import type { Token } from './tokens.ts'

/** How deep expressions may lie in each other. */
const depthMax = 400

const keywords = new Set([
  'and',
  'or',
  'not',
  'in',
  'like',
  'rlike',
  'is',
  'null',
  'true',
  'false',
  'asc',
  'desc',
  'nulls',
  'first',
  'last',
  'by',
  'where',
  'as',
  'on',
  'with',
])

/** Reads the expressions of a query. */
export class Parser extends TokenReader {
  /** How many items the lists of commands had so far. */
  listed = 0
  #nesting = 0
  readonly #depths = new WeakMap<Expression, number>()

  expression(): Expression {
    this.#nesting += 1
    this.#refuseBeyond(this.#nesting)
    const read = this.#or()
    this.#nesting -= 1
    return read
  }

  /** An expression of others, unless they lie too deep in each other: whatever goes through it goes as deep. */
  #of<Made extends Expression>(
    made: Made,
    first?: Expression,
    second?: Expression,
    others: readonly Expression[] = [],
  ): Made {
    const depthOf = (each: Expression | undefined) => (each && this.#depths.get(each)) ?? 0
    // There may be more of them than a call takes arguments.
    const depth =
      others.reduce((most, each) => Math.max(most, depthOf(each)), Math.max(depthOf(first), depthOf(second))) + 1
    this.#refuseBeyond(depth)
    this.#depths.set(made, depth)
    return made
  }

  #refuseBeyond(depth: number): void {
    if (depth <= depthMax) return
    const reason = `ESQL statement exceeded the maximum expression depth allowed (${depthMax})`
    throw syntaxError(this.text, this.peek().from, reason)
  }

  #or(): Expression {
    let left = this.#and()
    while (this.takeKeyword('or')) left = this.#both('or', left, this.#and())
    return left
  }

  #and(): Expression {
    let left = this.#not()
    while (this.takeKeyword('and')) left = this.#both('and', left, this.#not())
    return left
  }

  #both(kind: 'and' | 'or', left: Expression, right: Expression): Expression {
    return this.#of({ kind, left, right, from: left.from, to: this.end }, left, right)
  }

  #not(): Expression {
    const places: number[] = []
    while (this.isKeyword('not')) places.push(this.take().from)
    let read = this.#predicate()
    for (const from of places.reverse()) read = this.#of({ kind: 'not', of: read, from, to: this.end }, read)
    return read
  }

  #predicate(): Expression {
    const left = this.#sum()
    const token = this.peek()
    if (token.kind === 'sign') return this.#comparison(left, token)
    if (token.kind !== 'name') return left
    if (this.takeKeyword('is')) {
      const negated = this.takeKeyword('not')
      this.expectKeyword('null')
      return this.#of({ kind: 'isNull', of: left, negated, from: left.from, to: this.end }, left)
    }
    const negated = this.isKeyword('not') && ['in', 'like', 'rlike'].some((word) => this.isKeyword(word, this.second()))
    if (negated) this.take()
    const read = this.#among(left)
    return negated ? this.#of({ kind: 'not', of: read, from: left.from, to: this.end }, read) : read
  }

  #comparison(left: Expression, token: Token): Expression {
    const op = token.text as Comparison
    if (['==', '!=', '<', '<=', '>', '>='].includes(op)) {
      this.take()
      const right = this.#sum()
      return this.#of({ kind: 'comparison', op, left, right, from: left.from, to: this.end }, left, right)
    }
    if (!this.takeSign(':')) return left
    return this.#of({ kind: 'match', of: left, query: this.#primary(), from: left.from, to: this.end }, left)
  }

  #among(left: Expression): Expression {
    if (this.takeKeyword('in')) {
      this.expectSign('(')
      const among = [this.expression()]
      while (this.takeSign(',')) among.push(this.expression())
      this.expectSign(')')
      return this.#of({ kind: 'in', of: left, among, from: left.from, to: this.end }, left, undefined, among)
    }
    for (const kind of ['like', 'rlike'] as const) {
      if (!this.takeKeyword(kind)) continue
      return this.#of({ kind, of: left, patterns: this.#patterns(), from: left.from, to: this.end }, left)
    }
    return left
  }

  #patterns(): Expression[] {
    if (!this.takeSign('(')) return [this.#primary()]
    const patterns = [this.#primary()]
    while (this.takeSign(',')) patterns.push(this.#primary())
    this.expectSign(')')
    return patterns
  }

  #sum(): Expression {
    return this.#chain(['+', '-'], () => this.#product())
  }

  #product(): Expression {
    return this.#chain(['*', '/', '%'], () => this.#signed())
  }

  #chain(signs: readonly Arithmetic[], operand: () => Expression): Expression {
    let left = operand()
    for (;;) {
      const op = signs.find((sign) => this.isSign(sign))
      if (op === undefined) return left
      this.take()
      const right = operand()
      left = this.#of({ kind: 'arithmetic', op, left, right, from: left.from, to: this.end }, left, right)
    }
  }

  #signed(): Expression {
    const { from } = this.peek()
    let negative = false
    let signed = false
    for (; this.isSign('-') || this.isSign('+'); signed = true) if (this.take().text === '-') negative = !negative
    const of = this.#cast()
    if (!signed || !negative) return of
    if (of.kind === 'literal' && (typeof of.value === 'number' || typeof of.value === 'bigint'))
      return { ...of, value: -of.value, from }
    if (of.kind === 'literal' && isSpan(of.value))
      return { ...of, value: { ...of.value, amount: -of.value.amount }, from }
    return this.#of({ kind: 'negative', of, from, to: this.end }, of)
  }

  #cast(): Expression {
    let of = this.#primary()
    while (this.takeSign('::')) {
      const type = this.take()
      if (type.kind !== 'name')
        throw syntaxError(this.text, type.from, `mismatched input '${type.text}' expecting a type`)
      of = this.#of({ kind: 'cast', of, type: type.text.toLowerCase(), from: of.from, to: this.end }, of)
    }
    return of
  }

  #primary(): Expression {
    const token = this.peek()
    switch (token.kind) {
      case 'string':
        this.take()
        return this.#literal(token, token.text)
      case 'whole':
      case 'decimal':
        return this.#number(this.take())
      case 'parameter':
        return this.#parameter(token)
      case 'sign':
        return this.#enclosed(token)
      case 'name':
      case 'quoted':
        return this.#named(token)
      default:
        return this.refuse('an expression')
    }
  }

  #literal({ from }: Token, value: Literal): Expression {
    return { kind: 'literal', value, from, to: this.end }
  }

  #number(token: Token): Expression {
    const value = token.kind === 'whole' ? readWhole(token.text) : Number(token.text)
    const unit = this.peek()
    const named = unit.kind === 'name' ? spanUnit(unit.text) : undefined
    if (!named) return this.#literal(token, value)
    // A name right behind a number can only be its unit.
    this.take()
    return this.#literal(token, { amount: Number(value), unit: named })
  }

  #parameter(token: Token): Expression {
    const { value, kind } = this.parameter(token)
    if (kind === 'value' && !token.text.startsWith('??')) return this.#literal(token, value)
    const name = String(value)
    if (this.isSign('(')) return this.#call({ ...token, text: name })
    return { kind: 'name', name, from: token.from, to: this.end }
  }

  #enclosed(token: Token): Expression {
    if (this.takeSign('(')) {
      const read = this.expression()
      this.expectSign(')')
      return this.#of({ ...read, from: token.from, to: this.end }, read)
    }
    if (this.takeSign('*')) return { kind: 'star', from: token.from, to: this.end }
    if (!this.takeSign('[')) return this.refuse('an expression')
    const values: Literal[] = []
    do {
      const each = this.#signed()
      if (each.kind !== 'literal') throw syntaxError(this.text, each.from, 'a list holds values only')
      values.push(each.value)
    } while (this.takeSign(','))
    this.expectSign(']')
    return this.#literal(token, values)
  }

  #named(token: Token): Expression {
    if (token.kind === 'name') {
      const word = token.text.toLowerCase()
      if (word === 'null' || word === 'true' || word === 'false') {
        this.take()
        return this.#literal(token, word === 'null' ? null : word === 'true')
      }
      if (this.isSign('(', this.second())) return this.#call(this.take())
      if (keywords.has(word) && !this.isSign('.', this.second())) this.refuse('an expression')
    }
    const { name, from, to } = this.name()
    return { kind: 'name', name, from, to }
  }

  #call({ text, from }: Token): Expression {
    this.expectSign('(')
    const args: Expression[] = []
    if (!this.isSign(')')) {
      do args.push(this.#argument())
      while (this.takeSign(','))
    }
    this.expectSign(')')
    return this.#of({ kind: 'call', name: text.toLowerCase(), args, from, to: this.end }, undefined, undefined, args)
  }

  /** An argument; options in braces (`{"boost": 2}`) are read by the functions that have some. */
  #argument(): Expression {
    const { from } = this.peek()
    if (!this.takeSign('{')) return this.expression()
    const entries: (readonly [string, Literal])[] = []
    while (!this.isSign('}')) {
      if (entries.length > 0) this.expectSign(',')
      entries.push(this.#option(new Set(entries.map(([name]) => name))))
    }
    this.expectSign('}')
    return { kind: 'options', entries, from, to: this.end }
  }

  #option(before: ReadonlySet<string>): readonly [string, Literal] {
    const key = this.peek()
    if (key.kind !== 'string') this.refuse('a string')
    if (before.has(key.text))
      throw syntaxError(
        this.text,
        key.from,
        `Duplicated function arguments with the same name [${key.text}] is not allowed`,
      )
    this.take()
    this.expectSign(':')
    const value = this.#signed()
    if (value.kind !== 'literal' || value.value === null)
      throw syntaxError(
        this.text,
        value.from,
        `Invalid named parameter [${key.text}], only constant values are supported`,
      )
    return [key.text, value.value]
  }

  /** A name with its parts: `a.b.`c d``; a `*` in a part that is not quoted makes it a pattern. */
  name(): NamePattern {
    const { from } = this.peek()
    const parts: string[] = []
    let isPattern = false
    do {
      const token = this.take()
      if (token.kind === 'parameter') {
        const { value, kind } = this.parameter(token)
        isPattern ||= kind === 'pattern'
        parts.push(String(value))
      } else if (token.kind === 'quoted') parts.push(token.text)
      else if (token.kind === 'name' || this.isSign('*', token)) {
        isPattern ||= token.text.includes('*')
        parts.push(token.text)
      } else throw syntaxError(this.text, token.from, `mismatched input '${token.text}' expecting a name`)
      // `a.*` and `*.b` come in pieces that stand side by side.
      while (this.#continues()) {
        const more = this.take()
        isPattern ||= more.text.includes('*')
        parts.push(`${parts.pop() ?? ''}${more.text}`)
      }
    } while (this.peek().from === this.end && this.takeSign('.'))
    return { name: parts.join('.'), isPattern, from, to: this.end }
  }

  #continues(): boolean {
    const next = this.peek()
    return next.from === this.end && (this.isSign('*', next) || next.kind === 'name' || next.kind === 'whole')
  }
}

/** Whole numbers beyond 64 bits are doubles. */
function readWhole(text: string): Literal {
  const value = BigInt(text)
  return value < 2n ** 64n ? value : Number(text)
}
