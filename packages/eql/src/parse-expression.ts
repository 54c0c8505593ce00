import type { Call, ComparisonOperator, Expression, Field, Junction, Literal, Lookup } from './ast.ts'
import type { TokenReader } from './token-reader.ts'

/** How deep parts of a condition may stand in each other; queries of the DSL are not deeper either. */
const depthMax = 100

const comparisons: readonly ComparisonOperator[] = ['==', '!=', '<=', '>=', '<', '>']
const sums: Readonly<Record<string, string>> = { '+': 'add', '-': 'subtract' }
const products: Readonly<Record<string, string>> = { '*': 'multiply', '/': 'divide', '%': 'modulo' }
const startOfValue = "{'(', 'not', 'null', 'true', 'false', STRING, INTEGER_VALUE, DECIMAL_VALUE, IDENTIFIER}"

/** Reads a condition. Throws `parsing_exception` with the place of what does not fit. */
export function parseCondition(reader: TokenReader): Expression {
  return new ConditionParser(reader).condition()
}

/** Reads a field: `a.b`, `` `a-b` ``, `?a`. */
export function parseField(reader: TokenReader): Field {
  const { at } = reader.peek()
  const optional = reader.skipSymbol('?')
  if (!reader.isName()) throw reader.mismatch('IDENTIFIER')
  const { value, end } = reader.take()
  return { kind: 'field', name: value, optional, at, end }
}

class ConditionParser {
  readonly #reader: TokenReader
  #depth = 0

  constructor(reader: TokenReader) {
    this.#reader = reader
  }

  condition(): Expression {
    return this.#junction('or', () => this.#junction('and', () => this.#negated()))
  }

  /** `a and b and c` is one, however long, and so it is when parts stand in brackets. */
  #junction(kind: Junction['kind'], part: () => Expression): Expression {
    const first = part()
    if (!this.#reader.isWord(kind)) return first
    const values = [first]
    while (this.#reader.skipWord(kind)) values.push(part())
    const flat = values.flatMap((value) => (value.kind === kind ? value.values : [value]))
    return { kind, values: flat, at: first.at, end: this.#reader.lastEnd }
  }

  #deeper<T>(work: () => T): T {
    this.#depth += 1
    if (this.#depth > depthMax)
      throw this.#reader.error(this.#reader.peek().at, `the query is nested deeper than [${depthMax}]`)
    try {
      return work()
    } finally {
      this.#depth -= 1
    }
  }

  #negated(): Expression {
    const { at } = this.#reader.peek()
    if (!this.#reader.skipWord('not')) return this.#predicate()
    const value = this.#deeper(() => this.#negated())
    return { kind: 'not', value, at, end: this.#reader.lastEnd }
  }

  #predicate(): Expression {
    const reader = this.#reader
    const left = this.#value()
    const operator = comparisons.find((each) => reader.isSymbol(each))
    if (operator !== undefined) {
      reader.take()
      const right = this.#value()
      return { kind: 'comparison', operator, left, right, at: left.at, end: reader.lastEnd }
    }
    const isNegated = reader.isWord('not') && reader.isWord('in', 1)
    if (isNegated) reader.take()
    const lookup = this.#lookup(left)
    if (!lookup) return left
    return isNegated ? { kind: 'not', value: lookup, at: lookup.at, end: lookup.end } : lookup
  }

  #lookup(value: Expression): Lookup | undefined {
    const reader = this.#reader
    const operator = reader.isSymbol(':') ? ':' : (['in', 'like', 'regex'] as const).find((each) => reader.isWord(each))
    if (operator === undefined) return undefined
    reader.take()
    const ignoresCase = operator === ':' || reader.skipSymbol('~')
    const listed = reader.isSymbol('(') ? this.#list() : undefined
    if (listed === undefined && operator === 'in') throw reader.mismatch("'('")
    const literals = listed ?? [this.#listed()]
    return { kind: 'lookup', operator, ignoresCase, value, listed: literals, at: value.at, end: reader.lastEnd }
  }

  #list(): Literal[] {
    const listed: Literal[] = []
    this.#reader.expectSymbol('(')
    do listed.push(this.#listed())
    while (this.#reader.skipSymbol(','))
    this.#reader.expectSymbol(')')
    return listed
  }

  #listed(): Literal {
    const reader = this.#reader
    const value = this.#value()
    if (value.kind !== 'literal')
      throw reader.error(value.at, `only constants can be listed, found [${reader.query.slice(value.at, value.end)}]`)
    return value
  }

  #value(): Expression {
    return this.#chain(sums, () => this.#chain(products, () => this.#signed()))
  }

  #chain(functions: Readonly<Record<string, string>>, part: () => Expression): Expression {
    const reader = this.#reader
    let left = part()
    for (let links = 0; ; links += 1) {
      const { kind, value } = reader.peek()
      const name = kind === 'symbol' && Object.hasOwn(functions, value) ? functions[value] : undefined
      if (name === undefined) return left
      if (links >= depthMax) throw reader.error(reader.peek().at, `more than [${depthMax}] operators in a row`)
      reader.take()
      const args = [left, part()]
      left = { kind: 'call', name, ignoresCase: false, args, at: left.at, end: reader.lastEnd }
    }
  }

  #signed(): Expression {
    const reader = this.#reader
    const { at } = reader.peek()
    const isMinus = reader.isSymbol('-')
    if (!isMinus && !reader.isSymbol('+')) return this.#primary()
    reader.take()
    const value = this.#deeper(() => this.#signed())
    if (!isMinus) return { ...value, at }
    if (value.kind === 'literal' && (typeof value.value === 'number' || typeof value.value === 'bigint'))
      return { ...value, value: -value.value, at }
    const zero: Literal = { kind: 'literal', value: 0, at, end: at }
    return { kind: 'call', name: 'subtract', ignoresCase: false, args: [zero, value], at, end: reader.lastEnd }
  }

  #primary(): Expression {
    const reader = this.#reader
    const token = reader.peek()
    if (token.kind === 'string' || token.kind === 'number') {
      reader.take()
      const value = token.kind === 'string' ? { value: token.value } : numberOf(token.value)
      if (value.value === Number.POSITIVE_INFINITY) throw reader.error(token.at, `Number [${token.text}] is too large`)
      return { kind: 'literal', ...value, at: token.at, end: token.end }
    }
    for (const [word, value] of constants)
      if (reader.skipWord(word)) return { kind: 'literal', value, at: token.at, end: token.end }
    if (reader.skipSymbol('(')) {
      const inner = this.#deeper(() => this.condition())
      reader.expectSymbol(')')
      return inner
    }
    return this.#named()
  }

  #named(): Expression {
    const reader = this.#reader
    if (!reader.isSymbol('?') && !reader.isName()) throw reader.mismatch(startOfValue)
    const isCall = reader.isSymbol('(', 1) || (reader.isSymbol('~', 1) && reader.isSymbol('(', 2))
    return isCall && reader.isName() ? this.#call() : parseField(reader)
  }

  #call(): Call {
    const reader = this.#reader
    const { at, value: name } = reader.take()
    const ignoresCase = reader.skipSymbol('~')
    reader.expectSymbol('(')
    const args: Expression[] = []
    if (!reader.isSymbol(')'))
      do args.push(this.#deeper(() => this.condition()))
      while (reader.skipSymbol(','))
    reader.expectSymbol(')')
    return { kind: 'call', name, ignoresCase, args, at, end: reader.lastEnd }
  }
}

const constants = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const

function numberOf(text: string): Pick<Literal, 'value' | 'decimal'> {
  if (/[.eE]/.test(text)) return { value: Number(text), decimal: true }
  const value = Number(text)
  return { value: Number.isSafeInteger(value) ? value : BigInt(text) }
}
