import { syntaxError } from '@logstack/errors'
import type { Arithmetic, Comparison, Expression, Literal } from './ast.ts'
import { aConstant, anExpression, aValue } from './expected.ts'
import { areAlike, readWhole, typeOf } from './literals.ts'
import { NameReader } from './name-reader.ts'
import { isSpan, spanUnit } from './spans.ts'
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
export class Parser extends NameReader {
  /** How many items the lists of commands had so far. */
  listed = 0
  #nesting = 0
  /** Where the operand of a condition began whose kind is not yet known; undefined outside of such. */
  #undecided: number | undefined
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
    const outer = this.#undecided
    this.#undecided ??= this.peek().from
    let read = this.#predicate(outer)
    this.#undecided = outer
    for (const from of places.reverse()) read = this.#of({ kind: 'not', of: read, from, to: this.end }, read)
    return read
  }

  /** `outer` is where an operand around this one began whose kind is not yet known, either. */
  #predicate(outer: number | undefined): Expression {
    const left = this.#sum()
    const token = this.peek()
    if (token.kind === 'sign') return this.#comparison(left, token, outer)
    if (token.kind !== 'name') return left
    if (this.takeKeyword('is')) {
      this.#undecided = outer
      const negated = this.takeKeyword('not')
      if (!this.takeKeyword('null')) this.refuse(negated ? "'null'" : "{'not', 'null'}")
      return this.#of({ kind: 'isNull', of: left, negated, from: left.from, to: this.end }, left)
    }
    const negated = this.isKeyword('not') && ['in', 'like', 'rlike'].some((word) => this.isKeyword(word, this.second()))
    if (negated) this.take()
    const read = this.#among(left, outer)
    return negated ? this.#of({ kind: 'not', of: read, from: left.from, to: this.end }, read) : read
  }

  #comparison(left: Expression, token: Token, outer: number | undefined): Expression {
    const op = token.text as Comparison
    if (['==', '!=', '<', '<=', '>', '>='].includes(op)) {
      this.take()
      const right = this.#sum()
      return this.#of({ kind: 'comparison', op, left, right, from: left.from, to: this.end }, left, right)
    }
    if (!this.takeSign(':')) return left
    this.#undecided = outer
    return this.#of({ kind: 'match', of: left, query: this.#constant(), from: left.from, to: this.end }, left)
  }

  #among(left: Expression, outer: number | undefined): Expression {
    if (this.takeKeyword('in')) {
      this.#undecided = outer
      if (!this.takeSign('(')) this.miss("'('")
      const among = [this.#listed()]
      while (this.takeSign(',')) among.push(this.#listed())
      if (!this.takeSign(')')) this.refuse("{',', ')'}")
      return this.#of({ kind: 'in', of: left, among, from: left.from, to: this.end }, left, undefined, among)
    }
    for (const kind of ['like', 'rlike'] as const) {
      if (!this.takeKeyword(kind)) continue
      return this.#of({ kind, of: left, patterns: this.#patterns(), from: left.from, to: this.end }, left)
    }
    return left
  }

  #patterns(): Expression[] {
    if (!this.takeSign('(')) return [this.#pattern()]
    const patterns = [this.#pattern()]
    while (this.takeSign(',')) patterns.push(this.#pattern())
    this.expectSign(')')
    return patterns
  }

  #pattern(): Expression {
    const { kind } = this.peek()
    return kind === 'string' || kind === 'parameter' ? this.#primary() : this.refuse('QUOTED_STRING')
  }

  /** A value among those of IN. */
  #listed(): Expression {
    return this.isSign(')') || this.peek().kind === 'end' ? this.refuse(aValue) : this.expression()
  }

  /** A value that stands in the query itself, and what it is called. */
  constant(): { readonly value: Literal | undefined; readonly type: string; readonly from: number } {
    const { from } = this.peek()
    const read = this.#constant()
    const value = read.kind === 'literal' ? read.value : undefined
    return { value, type: typeOf(value), from }
  }

  #constant(): Expression {
    const token = this.peek()
    const word = token.text.toLowerCase()
    const isValue =
      token.kind === 'name'
        ? ['null', 'true', 'false'].includes(word)
        : token.kind === 'sign'
          ? ['[', '-', '+'].includes(token.text)
          : token.kind !== 'end' && token.kind !== 'quoted'
    if (!isValue) this.refuse(aConstant)
    return this.#signed()
  }

  /** Throws for the next token; within an operand of a condition that could still become any kind of it all of it is named. */
  override refuse(expected: string, token = this.peek()): never {
    const start = this.#undecided
    if (start === undefined || token.from <= start) return super.refuse(expected, token)
    const end = token.kind === 'end' ? this.end : token.to
    throw syntaxError(this.text, token.from, `no viable alternative at input '${this.text.slice(start, end)}'`)
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
      const type = this.peek().kind === 'name' ? this.take() : this.refuse('{UNQUOTED_IDENTIFIER, QUOTED_IDENTIFIER}')
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
        return this.refuse(anExpression)
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
    if (!this.takeSign('[')) return this.refuse(anExpression)
    const values: Literal[] = []
    do {
      const next = this.peek()
      const each = this.isSign(']') || this.isSign('[') ? this.refuse(aConstant) : this.#signed()
      if (each.kind !== 'literal' || !areAlike([...values, each.value])) this.refuse(aConstant, next)
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
      if (keywords.has(word) && !this.isSign('.', this.second())) this.refuse(anExpression)
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
    const star = this.peek()
    const { from } = star
    if (this.takeSign('*')) return { kind: 'star', from, to: this.end }
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
}
