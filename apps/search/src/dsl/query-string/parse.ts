import type { Clause, Occur, QueryNode } from './ast.ts'
import { scan, syntaxError, type Token } from './scan.ts'

type Operator = 'and' | 'or'
/** Deepest nesting of parentheses. */
const depthMax = 100

interface Parser {
  readonly query: string
  readonly tokens: readonly Token[]
  readonly operator: Operator
  at: number
  depth: number
}

/** Parses Lucene's query language as its classic parser does, `AND`/`OR` without precedence included; throws `query_string_parse_exception`. */
export function parseQueryString(query: string, operator: Operator): QueryNode {
  if (query.trim() === '') return { type: 'none' }
  const parser: Parser = { query, tokens: scan(query), operator, at: 0, depth: 0 }
  const node = clauses(parser, undefined)
  if (peek(parser).kind !== 'end') throw unexpected(parser)
  return node
}

function clauses(parser: Parser, field: string | undefined): QueryNode {
  if (++parser.depth > depthMax) throw syntaxError(parser.query, `more than ${depthMax} nested parentheses`)
  const found: { occur: Occur; node: QueryNode }[] = []
  for (let first = true; first || !atEnd(parser); first = false) {
    const row = wordsInRow(parser)
    const joint = first || row ? undefined : conjunction(parser)
    const modifier = row ? undefined : prefixModifier(parser)
    const node = row ? textOf(parser, row, field) : primary(parser, field)
    const before = found.at(-1)
    if (before && before.occur !== 'must_not') {
      if (joint === 'and') before.occur = 'must'
      if (joint === 'or' && parser.operator === 'and') before.occur = 'should'
    }
    found.push({ occur: occurOf(modifier, joint, parser.operator), node })
  }
  parser.depth--
  return simplified(found)
}

function occurOf(modifier: 'must' | 'must_not' | undefined, joint: Operator | undefined, operator: Operator): Occur {
  if (modifier !== undefined) return modifier
  if (operator === 'and') return joint === 'or' ? 'should' : 'must'
  return joint === 'and' ? 'must' : 'should'
}

function simplified(found: readonly Clause[]): QueryNode {
  const [only] = found
  return found.length === 1 && only && only.occur !== 'must_not' ? only.node : { type: 'bool', clauses: found }
}

type Word = Extract<Token, { readonly kind: 'word' }>

/** Two or more plain words side by side, which Lucene reads as one text; the last is none that a joint or a suffix belongs to. */
function wordsInRow({ tokens, at }: Parser): readonly Word[] | undefined {
  const row: Word[] = []
  for (let next = at; ; next++) {
    const token = tokens[next]
    if (token?.kind !== 'word' || token.wild || !mayEndRow(tokens[next + 1])) break
    row.push(token)
  }
  return row.length > 1 ? row : undefined
}

function mayEndRow(after: Token | undefined): boolean {
  if (after?.kind === 'word') return after.raw !== '*'
  return after === undefined || !['colon', 'suffix', 'and', 'or'].includes(after.kind)
}

function textOf(parser: Parser, row: readonly Word[], field: string | undefined): QueryNode {
  parser.at += row.length
  const parts = row.map(({ text }) => text)
  const text = parts.join(' ')
  const plain = plainWord({ text, raw: row.map(({ raw }) => raw).join(' '), wild: false }, field)
  return plain.type === 'term' ? { ...plain, parts } : plain
}

function conjunction(parser: Parser): Operator | undefined {
  const { kind } = peek(parser)
  if (kind !== 'and' && kind !== 'or') return undefined
  parser.at++
  return kind
}

function prefixModifier(parser: Parser): 'must' | 'must_not' | undefined {
  const { kind } = peek(parser)
  if (kind !== 'plus' && kind !== 'minus' && kind !== 'not') return undefined
  parser.at++
  return kind === 'plus' ? 'must' : 'must_not'
}

function primary(parser: Parser, outer: string | undefined): QueryNode {
  let field = outer
  const name = peek(parser)
  if (name.kind === 'word' && parser.tokens[parser.at + 1]?.kind === 'colon') {
    parser.at += 2
    field = name.text
  }
  const token = peek(parser)
  parser.at++
  switch (token.kind) {
    case 'open': {
      const inner = clauses(parser, field)
      if (peek(parser).kind !== 'close') throw unexpected(parser)
      parser.at++
      return boosted(inner, suffixes(parser).boost)
    }
    case 'word':
      return word(parser, token, field)
    case 'minus': {
      // A minus between a field and its value belongs to the value: `offset:-5`.
      const value = peek(parser)
      if (field !== outer && value.kind === 'word') {
        parser.at++
        return word(parser, { ...value, text: `-${value.text}`, raw: `-${value.raw}` }, field)
      }
      break
    }
    case 'quoted': {
      const { tilde, boost } = suffixes(parser)
      if (field === '_exists_') return { type: 'exists', field: token.text }
      const slop = tilde === undefined ? undefined : Math.trunc(Number(tilde || 0))
      return boosted({ type: 'phrase', field, text: token.text, slop }, boost)
    }
    case 'regexp':
      return boosted({ type: 'regexp', field, source: token.source }, suffixes(parser).boost)
    case 'range': {
      const { low, high, includeLow, includeHigh } = token
      return boosted({ type: 'range', field, low, high, includeLow, includeHigh }, suffixes(parser).boost)
    }
    default:
      break
  }
  parser.at--
  throw unexpected(parser)
}

function word(parser: Parser, token: Word, field: string | undefined): QueryNode {
  const { tilde, boost } = suffixes(parser)
  if (tilde !== undefined && tilde !== '0' && field !== '_exists_')
    return boosted({ type: 'fuzzy', field, text: token.text, edits: tilde === '' ? undefined : tilde }, boost)
  return boosted(plainWord(token, field), boost)
}

function boosted(node: QueryNode, by: number): QueryNode {
  return by === 1 ? node : { type: 'boosted', node, by }
}

function plainWord(token: Pick<Word, 'text' | 'raw' | 'wild'>, field: string | undefined): QueryNode {
  if (field === '_exists_') return { type: 'exists', field: token.text }
  if (token.raw === '*') {
    if (field === '*') return { type: 'all' }
    return { type: 'exists', field }
  }
  const comparison = /^([<>])(=?)([\s\S]+)$/u.exec(token.text)
  if (comparison && !token.raw.startsWith('\\')) {
    const [, sign, equal, bound = ''] = comparison
    const inclusive = equal === '='
    return sign === '>'
      ? { type: 'range', field, low: bound, high: undefined, includeLow: inclusive, includeHigh: true }
      : { type: 'range', field, low: undefined, high: bound, includeLow: true, includeHigh: inclusive }
  }
  return { type: 'term', field, text: token.text, pattern: token.wild ? token.raw : undefined }
}

/** Reads boosts and what follows a `~`. */
function suffixes(parser: Parser): { readonly tilde: string | undefined; readonly boost: number } {
  let tilde: string | undefined
  let boost = 1
  for (let token = peek(parser); token.kind === 'suffix'; token = peek(parser)) {
    if (token.mark === '~') tilde = token.value
    else boost = Number(token.value)
    parser.at++
  }
  return { tilde, boost }
}

function peek(parser: Parser): Token {
  return parser.tokens[parser.at] ?? { kind: 'end' }
}

function atEnd(parser: Parser): boolean {
  const { kind } = peek(parser)
  return kind === 'end' || kind === 'close'
}

function unexpected(parser: Parser): Error {
  const token = peek(parser)
  const shown = token.kind === 'end' ? '<EOF>' : token.kind === 'word' ? token.raw : token.kind
  return syntaxError(parser.query, `Encountered "${shown}"`)
}
