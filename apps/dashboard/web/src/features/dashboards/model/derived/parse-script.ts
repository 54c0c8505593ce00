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
const token = /\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)|([A-Za-z_][\w.]*)|(\|\||&&|==|!=|<=|>=|[-+*/%<>!?:(),]))/y
const depthMax = 64

interface Token {
  readonly text: string
  readonly kind: 'number' | 'name' | 'mark'
}

/**
 * The expression of a TSVB script (`params.a / params.b * 100`, `divide(a, b)`, `params.b > 0 ? params.a : null`); undefined for one
 * that is more than arithmetic. The names of variables come without `params.`.
 */
export function parseScript(script: string): Expression | undefined {
  const tokens = tokensOf(
    script
      .trim()
      .replace(/^return\s+/, '')
      .replace(/;\s*$/, ''),
  )
  if (!tokens) return undefined
  const reader = new Reader(tokens)
  const expression = reader.choice(0)
  return reader.isAtEnd ? expression : undefined
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
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length
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
    return this.#take('(')
      ? this.#call(next.text, depth)
      : { kind: 'variable', name: next.text.replace(/^params\./, '') }
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
}
