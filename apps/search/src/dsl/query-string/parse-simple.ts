import { illegalArgument } from '../../refusals/refuse.ts'
import type { Clause, QueryNode } from './ast.ts'

type Operator = 'and' | 'or'
const depthMax = 100
/** How often one expression may go from `+` to `|` and back: each time what stands before is nested. */
const turnsMax = 200

/** What of the language an expression may use. */
export type SimpleFlag =
  | 'and'
  | 'escape'
  | 'fuzzy'
  | 'near'
  | 'not'
  | 'or'
  | 'phrase'
  | 'precedence'
  | 'prefix'
  | 'whitespace'

/** The bits of flags that are given as a number, as Lucene has them; 256 is for `~` behind a word and behind a phrase. */
const bits: readonly (readonly [SimpleFlag, number])[] = [
  ['and', 1],
  ['not', 2],
  ['or', 4],
  ['prefix', 8],
  ['phrase', 16],
  ['precedence', 32],
  ['escape', 64],
  ['whitespace', 128],
  ['fuzzy', 256],
  ['near', 512],
]

/** Reads `flags`: names with `|` between them, or a number whose bits they are; throws `illegal_argument_exception`. */
export function simpleFlags(given: string | number | undefined): ReadonlySet<SimpleFlag> {
  const all = new Set(bits.map(([name]) => name))
  if (given === undefined || given === '' || Number(given) < 0) return all
  if (typeof given === 'number') return new Set(bits.flatMap(([name, bit]) => ((given & bit) === 0 ? [] : [name])))
  const chosen = new Set<SimpleFlag>()
  for (const written of given.split('|')) {
    const name = written.toLowerCase() === 'slop' ? 'near' : written.toLowerCase()
    if (name === 'all') return all
    if (name === 'none') return new Set()
    if (!all.has(name as SimpleFlag)) throw illegalArgument(`Unknown simple_query_string flag [${written}]`)
    chosen.add(name as SimpleFlag)
  }
  return chosen
}

interface Parser {
  readonly text: string
  readonly operator: Operator
  readonly flags: ReadonlySet<SimpleFlag>
  at: number
}

/** Whether the character at the parser's place stands for a part of the language that may be used. */
function means(parser: Parser, mark: string, flag: SimpleFlag): boolean {
  return parser.text.charAt(parser.at) === mark && parser.flags.has(flag)
}

function isSpace(parser: Parser): boolean {
  return /\s/u.test(parser.text.charAt(parser.at)) && parser.flags.has('whitespace')
}

/**
 * Parses `simple_query_string`: `+` and, `|` or, `-` not, quotes, `word*` prefixes and parentheses. Never fails: what has no meaning where it
 * stands is left out. Only one that goes from `+` to `|` and back too often throws `illegal_argument_exception`.
 */
export function parseSimpleQueryString(
  text: string,
  operator: Operator,
  flags: ReadonlySet<SimpleFlag> = simpleFlags(undefined),
): QueryNode {
  // Beside other words it is one that no text has.
  if (text.trim() === '*') return { type: 'all' }
  const parser: Parser = { text, operator, flags, at: 0 }
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
    if (means(parser, ')', 'precedence')) break
    const isAnd = means(parser, '+', 'and')
    if (isSpace(parser)) parser.at++
    else if (isAnd || means(parser, '|', 'or')) {
      joint = isAnd ? 'and' : 'or'
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
  if (means(parser, '-', 'not')) {
    let nots = 0
    for (; parser.text.charAt(parser.at) === '-'; nots++) parser.at++
    const next = parser.text.charAt(parser.at)
    if (next === '' || /[\s+|)]/u.test(next)) return undefined
    const inner = primary(parser, depth)
    // Two take each other away. All others are looked for, so that a document without the word scores for it.
    const others: Clause = { occur: 'must', node: { type: 'all' } }
    return inner && nots % 2 === 1 ? { type: 'bool', clauses: [others, { occur: 'must_not', node: inner }] } : inner
  }
  if (means(parser, '(', 'precedence') && depth < depthMax && parser.text.includes(')', parser.at)) {
    parser.at++
    const inner = expression(parser, depth + 1)
    parser.at++
    return inner.type === 'none' ? undefined : inner
  }
  if (means(parser, '"', 'phrase')) {
    const end = parser.text.indexOf('"', parser.at + 1)
    if (end > 0) return quoted(parser, end)
  }
  return bareWord(parser)
}

function quoted(parser: Parser, end: number): QueryNode {
  const text = parser.text.slice(parser.at + 1, end)
  const slop = parser.flags.has('near') ? /^~(\d+)/u.exec(parser.text.slice(end + 1)) : null
  parser.at = end + 1 + (slop?.[0].length ?? 0)
  return { type: 'phrase', field: undefined, text, slop: slop ? Number(slop[1]) : undefined }
}

function bareWord(parser: Parser): QueryNode | undefined {
  const written = writtenWord(parser)
  if (written === '') {
    parser.at++
    return undefined
  }
  const { flags } = parser
  const near = flags.has('fuzzy') ? /^(.+)~(\d*)$/su.exec(written) : null
  const word = near?.[1] ?? written
  const text = flags.has('escape') ? word.replace(/\\([\s\S])/gu, '$1') : word
  if (flags.has('prefix') && word !== '*' && word.endsWith('*') && !word.endsWith('\\*'))
    return { type: 'prefix', field: undefined, text: text.slice(0, -1) }
  if (near && near[2] !== '0')
    return { type: 'fuzzy', field: undefined, text, edits: near[2] === '' ? undefined : near[2] }
  return text === '' ? undefined : { type: 'term', field: undefined, text, pattern: undefined }
}

/** The word at the parser's place as it is written; the parser stands behind it then. */
function writtenWord(parser: Parser): string {
  const start = parser.at
  const ends: readonly (readonly [string, SimpleFlag])[] = [
    ['+', 'and'],
    ['|', 'or'],
    ['(', 'precedence'],
    [')', 'precedence'],
    ['"', 'phrase'],
  ]
  while (parser.at < parser.text.length && !isSpace(parser)) {
    if (ends.some(([mark, flag]) => means(parser, mark, flag))) break
    parser.at += parser.text.charAt(parser.at) === '\\' && parser.flags.has('escape') ? 2 : 1
  }
  parser.at = Math.min(parser.at, parser.text.length)
  return parser.text.slice(start, parser.at)
}
