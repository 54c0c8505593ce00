import { AppError, dashboardErrors } from '@logstack/errors'
import type { KqlNode, KqlText, RangeOperator } from './ast.ts'
import { Reader } from './reader.ts'

const rangeOperators: readonly (readonly [string, RangeOperator])[] = [
  ['<=', 'lte'],
  ['>=', 'gte'],
  ['<', 'lt'],
  ['>', 'gt'],
]
const depthMax = 100

/** What an operand of `and`, `or` and `not` is: an expression, or a value in `field:(a or b)`. */
type ReadOperand = (depth: number) => KqlNode

/**
 * Reads a KQL query; an empty one is `undefined`. Precedence: `not`, then `and`, then `or`; keywords in any case; unquoted words may hold
 * spaces; a backslash escapes `\():<>"*{}`, keywords and white space. Throws `kql_syntax` with the position.
 */
export function parseKql(text: string): KqlNode | undefined {
  const reader = new Reader(text)
  reader.skipSpace()
  if (reader.atEnd()) return undefined
  const node = readOr(reader, 0, (depth) => readExpression(reader, depth))
  reader.skipSpace()
  if (!reader.atEnd()) throw reader.unexpected('the end of the query')
  return node
}

function readOr(reader: Reader, depth: number, operand: ReadOperand): KqlNode {
  const children = [readAnd(reader, depth, operand)]
  while (reader.takeKeyword('or')) children.push(readAnd(reader, depth, operand))
  return join('or', children)
}

function readAnd(reader: Reader, depth: number, operand: ReadOperand): KqlNode {
  const children = [readNot(reader, depth, operand)]
  while (reader.takeKeyword('and')) children.push(readNot(reader, depth, operand))
  return join('and', children)
}

function readNot(reader: Reader, depth: number, operand: ReadOperand): KqlNode {
  let negations = 0
  while (reader.takeKeyword('not')) negations++
  if (depth + negations > depthMax) {
    throw new AppError(dashboardErrors.kql_syntax, `the query is nested deeper than ${depthMax} levels`)
  }
  let node = readGroupOr(reader, depth, operand)
  for (; negations > 0; negations--) node = { kind: 'not', child: node }
  return node
}

function readGroupOr(reader: Reader, depth: number, operand: ReadOperand): KqlNode {
  if (!reader.take('(')) return operand(depth)
  const node = readOr(reader, depth + 1, operand)
  if (!reader.take(')')) throw reader.unexpected(')')
  return node
}

function readExpression(reader: Reader, depth: number): KqlNode {
  const word = reader.readText()
  for (const [symbol, operator] of rangeOperators) {
    if (reader.take(symbol)) return { kind: 'range', field: word, operator, value: reader.readText() }
  }
  if (!reader.take(':')) return { kind: 'match', field: undefined, value: word }
  if (reader.take('{')) {
    const child = readOr(reader, depth + 1, (inner) => readExpression(reader, inner))
    if (!reader.take('}')) throw reader.unexpected('}')
    return { kind: 'nested', path: word, child }
  }
  return readValues(reader, word, depth)
}

function readValues(reader: Reader, field: KqlText, depth: number): KqlNode {
  const value: ReadOperand = () => ({ kind: 'match', field, value: reader.readText() })
  if (!reader.take('(')) return value(depth)
  const node = readOr(reader, depth + 1, value)
  if (!reader.take(')')) throw reader.unexpected(')')
  return node
}

function join(kind: 'and' | 'or', children: KqlNode[]): KqlNode {
  const [only] = children
  return children.length === 1 && only ? only : { kind, children }
}
