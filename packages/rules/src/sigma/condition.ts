import { fitsStars } from '../star-pattern.ts'
import { allOf, anyOf, type Detection, SigmaProblem } from './detection.ts'

/** The named parts of a rule's detection. */
export type Parts = ReadonlyMap<string, Detection>

/** An old count behind a condition: `| count(field) by groups > number`. */
export interface OldCount {
  readonly field: string | undefined
  readonly groupBy: readonly string[]
  readonly operator: 'gt' | 'gte' | 'eq' | 'lt' | 'lte'
  readonly value: number
}

const tokenPattern = /\(|\)|\||[^\s()|]+/gu
const depthMax = 50
const operators: Readonly<Record<string, OldCount['operator']>> = {
  '>': 'gt',
  '>=': 'gte',
  '=': 'eq',
  '==': 'eq',
  '<': 'lt',
  '<=': 'lte',
}

interface Cursor {
  readonly tokens: readonly string[]
  at: number
  readonly parts: Parts
  readonly path: readonly PropertyKey[]
}

/** Reads a condition: names, `1 of`, `all of`, `them`, patterns of names, `and`, `or`, `not`, brackets, and an old count after `|`. */
export function readCondition(
  text: string,
  parts: Parts,
  path: readonly PropertyKey[],
): { readonly detection: Detection; readonly count: OldCount | undefined } {
  const cursor: Cursor = { tokens: text.match(tokenPattern) ?? [], at: 0, parts, path }
  if (cursor.tokens.length === 0) throw new SigmaProblem(path, 'the condition is empty')
  const detection = readOr(cursor, 0)
  const count = cursor.tokens[cursor.at] === '|' ? readCount(cursor) : undefined
  const rest = cursor.tokens[cursor.at]
  if (rest !== undefined) throw new SigmaProblem(path, `unexpected [${rest}] in the condition`)
  return { detection, count }
}

function readOr(cursor: Cursor, depth: number): Detection {
  const members = [readAnd(cursor, depth)]
  while (takeWord(cursor, 'or')) members.push(readAnd(cursor, depth))
  return anyOf(members)
}

function readAnd(cursor: Cursor, depth: number): Detection {
  const members = [readNot(cursor, depth)]
  while (takeWord(cursor, 'and')) members.push(readNot(cursor, depth))
  return allOf(members)
}

function readNot(cursor: Cursor, depth: number): Detection {
  if (depth > depthMax) throw new SigmaProblem(cursor.path, `the condition nests deeper than ${depthMax}`)
  if (takeWord(cursor, 'not')) return { op: 'not', of: readNot(cursor, depth + 1) }
  if (takeWord(cursor, '(')) {
    const inner = readOr(cursor, depth + 1)
    if (!takeWord(cursor, ')')) throw new SigmaProblem(cursor.path, 'a bracket of the condition is not closed')
    return inner
  }
  const token = cursor.tokens[cursor.at++]
  if (token === undefined) throw new SigmaProblem(cursor.path, 'the condition ends too early')
  if (/^(?:\d+|all|any)$/iu.test(token) && takeWord(cursor, 'of')) return readOf(cursor, token.toLowerCase())
  const part = cursor.parts.get(token)
  if (!part) throw new SigmaProblem(cursor.path, `the condition names [${token}], which the detection does not have`)
  return part
}

function readOf(cursor: Cursor, quantity: string): Detection {
  const pattern = cursor.tokens[cursor.at++]
  if (pattern === undefined || pattern === ')') throw new SigmaProblem(cursor.path, `${quantity} of what?`)
  const isAll = pattern.toLowerCase() === 'them'
  const found = [...cursor.parts]
    .filter(([name]) => (isAll ? !name.startsWith('_') : fitsStars(name, pattern)))
    .map(([, part]) => part)
  if (found.length === 0)
    throw new SigmaProblem(cursor.path, `the condition names [${pattern}], which fits no part of the detection`)
  if (quantity === 'all') return allOf(found)
  if (quantity === '1' || quantity === 'any') return anyOf(found)
  return atLeast(found, Number(quantity), cursor)
}

function atLeast(found: readonly Detection[], count: number, { path }: Cursor): Detection {
  if (count > found.length) throw new SigmaProblem(path, `the condition wants ${count} of ${found.length} parts`)
  if (found.length > 10) throw new SigmaProblem(path, `${count} of more than 10 parts is not supported`)
  const choose = (from: number, wanted: number): Detection[][] => {
    if (wanted === 0) return [[]]
    return found.slice(from).flatMap((part, at) => choose(from + at + 1, wanted - 1).map((rest) => [part, ...rest]))
  }
  return anyOf(choose(0, count).map(allOf))
}

// `| count() by User > 5`, deprecated but written in many rules; `near` and the other old functions are refused.
function readCount(cursor: Cursor): OldCount {
  cursor.at++
  const text = cursor.tokens.slice(cursor.at).join(' ')
  cursor.at = cursor.tokens.length
  const parts = /^count ?\( ?([^\s()]*) ?\)(?: by ([^<>=]+?))? ?(>=|<=|==|=|>|<) ?(\d+)$/iu.exec(text)
  const operator = operators[parts?.[3] ?? '']
  if (!parts || !operator)
    throw new SigmaProblem(cursor.path, `the old aggregation [${text}] is not supported; write a correlation rule`)
  const groupBy = (parts[2] ?? '')
    .split(',')
    .map((field) => field.trim())
    .filter((field) => field !== '')
  return { field: parts[1] === '' ? undefined : parts[1], groupBy, operator, value: Number(parts[4]) }
}

function takeWord(cursor: Cursor, word: string): boolean {
  if (cursor.tokens[cursor.at]?.toLowerCase() !== word) return false
  cursor.at++
  return true
}
