import { illegalArgument } from '../shapes/refuse.ts'
import type { Clause, QueryNode } from './ast.ts'

type Operator = 'and' | 'or'
const depthMax = 100
/** How often one expression may go from `+` to `|` and back: each time what stands before is nested. */
const turnsMax = 200

interface Parser {
  readonly text: string
  readonly operator: Operator
  at: number
}

/**
 * Parses `simple_query_string`: `+` and, `|` or, `-` not, quotes, `word*` prefixes and parentheses. Never fails: what has no meaning where it
 * stands is left out. Only one that goes from `+` to `|` and back too often throws `illegal_argument_exception`.
 */
export function parseSimpleQueryString(text: string, operator: Operator): QueryNode {
  const parser: Parser = { text, operator, at: 0 }
  const parts: QueryNode[] = []
  while (parser.at < text.length) {
    parts.push(expression(parser, 0))
    // Only a stray closing parenthesis stops an expression early.
    parser.at++
  }
  const kept = parts.filter((part) => part.type !== 'none')
  const [only] = kept
  if (kept.length <= 1) return only ?? { type: 'none' }
  return {
    type: 'bool',
    clauses: kept.map((node): Clause => ({ occur: operator === 'and' ? 'must' : 'should', node })),
  }
}

function expression(parser: Parser, depth: number): QueryNode {
  const chain = new Chain()
  let joint: Operator | undefined
  while (parser.at < parser.text.length) {
    const character = parser.text.charAt(parser.at)
    if (character === ')') break
    if (/\s/u.test(character)) parser.at++
    else if (character === '+' || character === '|') {
      joint = character === '+' ? 'and' : 'or'
      parser.at++
    } else {
      const found = primary(parser, depth)
      if (!found) continue
      chain.add(found, joint ?? parser.operator)
      joint = undefined
    }
  }
  return chain.node
}

/** Parts joined from the left; those joined alike stand side by side. */
class Chain {
  #node: QueryNode | undefined
  #clauses: Clause[] = []
  #operator: Operator | undefined
  #turns = 0

  get node(): QueryNode {
    return this.#node ?? { type: 'none' }
  }

  add(node: QueryNode, operator: Operator): void {
    if (!this.#node) {
      this.#node = node
      return
    }
    const occur = operator === 'and' ? 'must' : 'should'
    if (operator !== this.#operator) {
      if (++this.#turns > turnsMax)
        throw illegalArgument(`a query goes from [+] to [|] and back more than [${turnsMax}] times`)
      this.#clauses = [{ occur, node: this.#node }]
      this.#node = { type: 'bool', clauses: this.#clauses }
      this.#operator = operator
    }
    this.#clauses.push({ occur, node })
  }
}

function primary(parser: Parser, depth: number): QueryNode | undefined {
  const character = parser.text.charAt(parser.at)
  if (character === '-') {
    let nots = 0
    for (; parser.text.charAt(parser.at) === '-'; nots++) parser.at++
    const next = parser.text.charAt(parser.at)
    if (next === '' || /[\s+|)]/u.test(next)) return undefined
    const inner = primary(parser, depth)
    // Two take each other away.
    return inner && nots % 2 === 1 ? { type: 'bool', clauses: [{ occur: 'must_not', node: inner }] } : inner
  }
  if (character === '(' && depth < depthMax && parser.text.includes(')', parser.at)) {
    parser.at++
    const inner = expression(parser, depth + 1)
    parser.at++
    return inner.type === 'none' ? undefined : inner
  }
  if (character === '"') {
    const end = parser.text.indexOf('"', parser.at + 1)
    if (end > 0) return quoted(parser, end)
  }
  return bareWord(parser)
}

function quoted(parser: Parser, end: number): QueryNode {
  const text = parser.text.slice(parser.at + 1, end)
  const slop = /^~(\d+)/u.exec(parser.text.slice(end + 1))
  parser.at = end + 1 + (slop?.[0].length ?? 0)
  return { type: 'phrase', field: undefined, text, slop: slop ? Number(slop[1]) : undefined }
}

function bareWord(parser: Parser): QueryNode | undefined {
  const written = /^(?:\\[\s\S]|[^\s+|()"])+/u.exec(parser.text.slice(parser.at))?.[0]
  if (written === undefined) {
    parser.at++
    return undefined
  }
  parser.at += written.length
  const near = /^(.+)~(\d*)$/su.exec(written)
  const word = near?.[1] ?? written
  const text = word.replace(/\\([\s\S])/gu, '$1')
  if (word === '*') return { type: 'all' }
  if (word.endsWith('*') && !word.endsWith('\\*')) return { type: 'prefix', field: undefined, text: text.slice(0, -1) }
  if (near && near[2] !== '0')
    return { type: 'fuzzy', field: undefined, text, edits: near[2] === '' ? undefined : near[2] }
  return text === '' ? undefined : { type: 'term', field: undefined, text, pattern: undefined }
}
