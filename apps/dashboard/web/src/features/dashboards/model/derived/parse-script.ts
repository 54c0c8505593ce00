import type { Expression } from './expression.ts'
import { functions } from './functions.ts'

// Operators from the weakest to the strongest, with the functions they stand for.
const levels: readonly Readonly<Record<string, string>>[] = [
  { '||': 'or' },
  { '&&': 'and' },
  { '==': 'eq', '!=': 'neq' },
  { '<=': 'lte', '>=': 'gte', '<': 'lt', '>': 'gt' },
  { '+': 'add', '-': 'subtract' },
  { '*': 'multiply', '/': 'divide', '%': 'mod' },
]
const token =
  /\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)[LlFfDd]?|([A-Za-z_][\w.]*)|(\|\||&&|==|!=|<=|>=|[-+*/%<>!?:(),;={}]))/y
const depthMax = 64
/** Calls and values of a whole script, its declared names put in their places. */
const sizeMax = 5_000
const declarations = new Set(['double', 'float', 'long', 'int', 'def'])

interface Token {
  readonly text: string
  readonly kind: 'number' | 'name' | 'mark'
}

/**
 * The expression of a TSVB script: `params.a / params.b * 100`, `divide(a, b)`, `params.b > 0 ? params.a : null`, or statements that declare
 * numbers, decide and return one; undefined for one that is more than that. The names of variables come without `params.`.
 */
export function parseScript(script: string): Expression | undefined {
  const tokens = tokensOf(script.replaceAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, ' ').trim())
  if (!tokens || tokens.length === 0) return undefined
  const reader = new Reader(tokens)
  const expression = reader.statements(0)
  return expression && reader.isAtEnd && isSmall(expression) ? expression : undefined
}

/** Whether evaluating takes a bounded number of steps: declared names stand in many places. */
function isSmall(whole: Expression): boolean {
  let left = sizeMax
  const count = (expression: Expression): boolean => {
    left -= 1
    return left > 0 && (expression.kind !== 'call' || expression.args.every(count))
  }
  return count(whole)
}

function tokensOf(script: string): Token[] | undefined {
  const tokens: Token[] = []
  token.lastIndex = 0
  while (token.lastIndex < script.length) {
    const from = token.lastIndex
    const found = token.exec(script)
    if (!found) return script.slice(from).trim() === '' ? tokens : undefined
    const [, number, name, mark] = found
    tokens.push({ text: number ?? name ?? mark ?? '', kind: number ? 'number' : name ? 'name' : 'mark' })
  }
  return tokens
}

class Reader {
  readonly #tokens: readonly Token[]
  readonly #declared = new Map<string, Expression>()
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length
  }

  /** Statements up to the end of their block: the number that they return, or none. */
  statements(depth: number): Expression | undefined {
    if (depth > depthMax) return undefined
    while (this.#take(';'));
    if (this.isAtEnd || this.#next() === '}') return { kind: 'missing' }
    if (this.#takeName('if')) return this.#decision(depth)
    if (declarations.has(this.#next() ?? '')) return this.#declaration(depth)
    this.#takeName('return')
    const value = this.choice(depth + 1)
    while (this.#take(';'));
    // What stands after it is never run, or is more than arithmetic.
    return value && (this.isAtEnd || this.#next() === '}') ? value : undefined
  }

  /** What is decided must return: then the rest is what happens otherwise. */
  #decision(depth: number): Expression | undefined {
    const condition = this.#take('(') && this.choice(depth + 1)
    if (!condition || !this.#take(')')) return undefined
    const then = this.#body(depth)
    const otherwise = then && (this.#takeName('else') ? this.#otherwise(depth) : this.statements(depth + 1))
    return otherwise && { kind: 'call', name: 'ifelse', args: [condition, then, otherwise] }
  }

  #otherwise(depth: number): Expression | undefined {
    const value = this.#takeName('if') ? this.#decision(depth + 1) : this.#body(depth)
    while (this.#take(';'));
    return this.isAtEnd || this.#next() === '}' ? value : undefined
  }

  /** A block, or one statement that returns. */
  #body(depth: number): Expression | undefined {
    if (this.#take('{')) {
      const value = this.#next() === '}' ? undefined : this.statements(depth + 1)
      return this.#take('}') ? value : undefined
    }
    if (!this.#takeName('return')) return undefined
    const value = this.choice(depth + 1)
    return this.#take(';') ? value : undefined
  }

  #declaration(depth: number): Expression | undefined {
    this.#at += 1
    const name = this.#next() ?? ''
    this.#at += 1
    const value = this.#take('=') && this.choice(depth + 1)
    if (!value || !this.#take(';')) return undefined
    this.#declared.set(name, value)
    return this.statements(depth + 1)
  }

  /** `condition ? then : otherwise`, or anything that binds stronger. */
  choice(depth: number): Expression | undefined {
    if (depth > depthMax) return undefined
    const condition = this.#operators(0, depth)
    if (!condition || !this.#take('?')) return condition
    const then = this.choice(depth + 1)
    if (!then || !this.#take(':')) return undefined
    const otherwise = this.choice(depth + 1)
    return otherwise && { kind: 'call', name: 'ifelse', args: [condition, then, otherwise] }
  }

  #operators(level: number, depth: number): Expression | undefined {
    const operators = levels[level]
    if (!operators) return this.#single(depth)
    let left = this.#operators(level + 1, depth)
    for (let name = this.#operator(operators); left && name; name = this.#operator(operators)) {
      const right = this.#operators(level + 1, depth)
      left = right && { kind: 'call', name, args: [left, right] }
    }
    return left
  }

  #operator(operators: Readonly<Record<string, string>>): string | undefined {
    const next = this.#tokens[this.#at]
    const name = next?.kind === 'mark' && Object.hasOwn(operators, next.text) ? operators[next.text] : undefined
    if (name) this.#at += 1
    return name
  }

  #single(depth: number): Expression | undefined {
    if (depth > depthMax) return undefined
    if (this.#take('-')) {
      const value = this.#single(depth + 1)
      return value && { kind: 'call', name: 'subtract', args: [{ kind: 'number', value: 0 }, value] }
    }
    if (this.#take('!')) {
      const value = this.#single(depth + 1)
      return value && { kind: 'call', name: 'not', args: [value] }
    }
    if (this.#take('(')) {
      const inner = this.choice(depth + 1)
      return this.#take(')') ? inner : undefined
    }
    const next = this.#tokens[this.#at]
    if (!next || next.kind === 'mark') return undefined
    this.#at += 1
    if (next.kind === 'number') return { kind: 'number', value: Number(next.text) }
    if (next.text === 'null') return { kind: 'missing' }
    if (this.#take('(')) return this.#call(next.text, depth)
    return this.#declared.get(next.text) ?? { kind: 'variable', name: next.text.replace(/^params\./, '') }
  }

  #call(called: string, depth: number): Expression | undefined {
    const name = called.replace(/^Math\./, '')
    const args: Expression[] = []
    while (!this.#take(')')) {
      const arg = (args.length === 0 || this.#take(',')) && this.choice(depth + 1)
      if (!arg) return undefined
      args.push(arg)
    }
    return functions.has(name) ? { kind: 'call', name, args } : undefined
  }

  #take(mark: string): boolean {
    const next = this.#tokens[this.#at]
    if (next?.kind !== 'mark' || next.text !== mark) return false
    this.#at += 1
    return true
  }

  #takeName(name: string): boolean {
    const isNext = this.#next() === name && this.#tokens[this.#at]?.kind === 'name'
    if (isNext) this.#at += 1
    return isNext
  }

  #next(): string | undefined {
    return this.#tokens[this.#at]?.text
  }
}
