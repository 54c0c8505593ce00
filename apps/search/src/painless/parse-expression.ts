import type { Expression, Place } from './ast.ts'
import { isException } from './exceptions.ts'
import { numberLiteral } from './number-literal.ts'
import { acceptType, expectType } from './read-type.ts'
import { PatternValue } from './regex-values.ts'
import { ScriptFault } from './script-error.ts'
import { staticTypes } from './statics.ts'
import type { TokenReader } from './token-reader.ts'
import { isType } from './types.ts'

/** Binary operators from the loosest to the tightest; all lean left. */
const levels: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!=', '===', '!=='],
  ['<', '<=', '>', '>=', 'instanceof'],
  ['<<', '>>', '>>>'],
  ['=~', '==~'],
  ['+', '-'],
  ['*', '/', '%'],
]

const matching = levels.findIndex((operators) => operators.includes('=~'))

/** `text =~ pattern` finds it in the text, `==~` asks for the whole text. */
function matched(text: Expression, pattern: Expression, operator: string, at: number): Expression {
  const target: Expression = { kind: 'call', target: pattern, method: 'matcher', args: [text], safe: false, at }
  return { kind: 'call', target, method: operator === '=~' ? 'find' : 'matches', args: [], safe: false, at }
}

const assignments = ['=', '+=', '-=', '*=', '/=', '%=', '&=', '^=', '|=', '<<=', '>>=', '>>>=']

/** Reads one expression. Throws a `ScriptFault` where it is none. */
export function parseExpression(reader: TokenReader): Expression {
  const lambda = parseLambda(reader)
  if (lambda) return lambda
  const left = parseConditional(reader)
  const sign = reader.peek()
  if (sign.kind !== 'operator' || !assignments.includes(sign.text)) return left
  reader.take()
  const target = placeOf(left, sign.at)
  const value = parseExpression(reader)
  return { kind: 'assign', target, operator: sign.text.slice(0, -1), value, yieldsOld: false, at: sign.at }
}

function parseLambda(reader: TokenReader): Expression | undefined {
  const start = reader.mark()
  const { at } = reader.peek()
  const parameters: { type: string; name: string }[] = []
  if (reader.peek().kind === 'name' && reader.sees('->', 1)) parameters.push({ type: 'def', name: reader.expectName() })
  else if (reader.accept('(')) {
    while (reader.peek().kind === 'name') {
      const type = reader.peek(1).kind === 'name' || reader.sees('[', 1) ? acceptType(reader) : undefined
      if (reader.peek().kind !== 'name') break
      parameters.push({ type: type ?? 'def', name: reader.expectName() })
      if (!reader.accept(',')) break
    }
    if (!(reader.accept(')') && reader.sees('->'))) {
      reader.reset(start)
      return undefined
    }
  } else return undefined
  reader.expect('->')
  return { kind: 'lambda', parameters, body: reader.sees('{') ? reader.block() : parseExpression(reader), at }
}

function placeOf(expression: Expression, at: number): Place {
  if (expression.kind === 'variable' || expression.kind === 'member') return expression
  throw new ScriptFault(at, 'cannot assign a value to an expression that is no variable, field or element')
}

function parseConditional(reader: TokenReader): Expression {
  const test = parseBinary(reader, 0)
  const { at } = reader.peek()
  if (reader.accept('?:')) return { kind: 'binary', operator: '?:', left: test, right: parseConditional(reader), at }
  if (!reader.accept('?')) return test
  const then = parseExpression(reader)
  reader.expect(':')
  return { kind: 'conditional', test, then, otherwise: parseExpression(reader), at }
}

function parseBinary(reader: TokenReader, level: number): Expression {
  const operators = levels[level]
  if (!operators) return parseUnary(reader)
  let left = parseBinary(reader, level + 1)
  for (;;) {
    const { text: operator, at, kind } = reader.peek()
    if (kind === 'string' || kind === 'number' || !operators.includes(operator)) return left
    reader.take()
    if (operator === 'instanceof') left = { kind: 'instanceof', operand: left, type: expectType(reader), at }
    else {
      const right = parseBinary(reader, level + 1)
      left = level === matching ? matched(left, right, operator, at) : { kind: 'binary', operator, left, right, at }
    }
  }
}

function parseUnary(reader: TokenReader): Expression {
  const { text, at, kind } = reader.peek()
  if (kind === 'operator') {
    if (text === '!' || text === '-' || text === '+' || text === '~') {
      reader.take()
      const next = reader.peek()
      if (text === '-' && next.kind === 'number' && !reader.sees('.', 1)) {
        reader.take()
        return { kind: 'literal', value: numberLiteral(next.text, '-', at), at }
      }
      return { kind: 'unary', operator: text, operand: parseUnary(reader), at }
    }
    if (text === '++' || text === '--') {
      reader.take()
      return step(placeOf(parseUnary(reader), at), text, false, at)
    }
    const start = reader.mark()
    if (reader.accept('(')) {
      const type = acceptType(reader)
      if (type !== undefined && reader.accept(')')) return { kind: 'cast', type, operand: parseUnary(reader), at }
      reader.reset(start)
    }
  }
  return parsePostfix(reader)
}

function step(target: Place, operator: string, yieldsOld: boolean, at: number): Expression {
  const value: Expression = { kind: 'literal', value: 1, at }
  return { kind: 'assign', target, operator: operator.charAt(0), value, yieldsOld, at }
}

function parsePostfix(reader: TokenReader): Expression {
  let expression = parsePrimary(reader)
  for (;;) {
    const { text, at } = reader.peek()
    if (reader.sees('.') || reader.sees('?.')) {
      reader.take()
      expression = parseMember(reader, expression, text === '?.', at)
    } else if (reader.accept('[')) {
      const key = parseExpression(reader)
      reader.expect(']')
      expression = { kind: 'member', target: expression, key, safe: false, at }
    } else if (/^\.\d+$/u.test(text)) {
      // `list.0` reads like a fraction.
      reader.take()
      expression = {
        kind: 'member',
        target: expression,
        key: { kind: 'literal', value: text.slice(1), at },
        safe: false,
        at,
      }
    } else if (reader.sees('++') || reader.sees('--')) {
      reader.take()
      return step(placeOf(expression, at), text, true, at)
    } else return expression
  }
}

function parseMember(reader: TokenReader, target: Expression, safe: boolean, at: number): Expression {
  const token = reader.take()
  if (token.kind !== 'name' && token.kind !== 'number') {
    throw new ScriptFault(token.at, `unexpected token ['${token.text}'] was expecting one of [DOTINTEGER, DOTID].`)
  }
  if (reader.sees('(')) {
    return { kind: 'call', target, method: token.text, args: parseArguments(reader), safe, at }
  }
  const key: Expression = { kind: 'literal', value: token.text, at: token.at }
  return { kind: 'member', target, key, safe, at }
}

function parseArguments(reader: TokenReader): Expression[] {
  reader.expect('(')
  const args: Expression[] = []
  if (reader.accept(')')) return args
  do args.push(parseExpression(reader))
  while (reader.accept(','))
  reader.expect(')')
  return args
}

const words: Readonly<Record<string, unknown>> = { true: true, false: false, null: null }

function parsePrimary(reader: TokenReader): Expression {
  const token = reader.peek()
  const { at } = token
  if (token.kind === 'string') {
    reader.take()
    return { kind: 'literal', value: token.value, at }
  }
  if (token.kind === 'number') {
    reader.take()
    return { kind: 'literal', value: numberLiteral(token.text, '', at), at }
  }
  if (token.kind === 'regex') {
    reader.take()
    return { kind: 'literal', value: new PatternValue(token.source, token.flags, at), at }
  }
  if (reader.accept('(')) {
    const inner = parseExpression(reader)
    reader.expect(')')
    return inner
  }
  if (reader.sees('[')) return parseInitializer(reader)
  if (token.kind !== 'name') throw reader.unexpected()
  reader.take()
  if (Object.hasOwn(words, token.text)) return { kind: 'literal', value: words[token.text], at }
  if (token.text === 'new') return parseNew(reader, at)
  if (reader.accept('::')) return { kind: 'reference', type: token.text, method: reader.expectName(), at }
  if ((staticTypes.includes(token.text) || isType(token.text)) && reader.accept('.')) {
    const method = reader.expectName()
    const args = reader.sees('(') ? parseArguments(reader) : []
    return { kind: 'static', type: token.text, method, args, at }
  }
  if (reader.sees('(')) return { kind: 'function', name: token.text, args: parseArguments(reader), at }
  return { kind: 'variable', name: token.text, at }
}

/** What makes the maps that scripts may ask for: those of hashes, of insertion and of sorted keys. */
const maps: Readonly<Record<string, string>> = { HashMap: 'copyOf', LinkedHashMap: 'linked', TreeMap: 'sorted' }

function parseNew(reader: TokenReader, at: number): Expression {
  const type = reader.expectName()
  if (reader.accept('[')) return parseNewArray(reader, type, at)
  const args = parseArguments(reader)
  if (/^(?:Linked)?HashSet$/.test(type) && args.length <= 1)
    return {
      kind: 'static',
      type: 'Set',
      method: type === 'HashSet' ? (args[0] ? 'copyOf' : 'of') : 'linked',
      args,
      at,
    }
  if (/^(Array|Linked)List$/.test(type) && args.length <= 1) {
    return args[0] ? { kind: 'static', type: 'List', method: 'copyOf', args, at } : { kind: 'list', items: [], at }
  }
  const made = Object.hasOwn(maps, type) ? maps[type] : undefined
  if (made && args.length <= 1)
    return { kind: 'static', type: 'Map', method: args[0] || made !== 'copyOf' ? made : 'of', args, at }
  const isText = type === 'StringBuilder' && args.length <= 1
  if (isText || (type === 'StringTokenizer' && args.length >= 1 && args.length <= 3))
    return { kind: 'static', type, method: 'of', args, at }
  if (isException(type) && args.length <= 1) return { kind: 'exception', type, message: args[0], at }
  throw new ScriptFault(at, `cannot resolve symbol [${type}]`)
}

/** `new int[3]` and `new int[] {1, 2}`, behind the first bracket. */
function parseNewArray(reader: TokenReader, type: string, at: number): Expression {
  if (!isType(type)) throw new ScriptFault(at, `cannot resolve symbol [${type}]`)
  if (!reader.accept(']')) {
    const size = parseExpression(reader)
    reader.expect(']')
    return { kind: 'array', type, size, at }
  }
  reader.expect('{')
  const items: Expression[] = []
  while (!reader.accept('}')) {
    if (items.length > 0) reader.expect(',')
    items.push(parseExpression(reader))
  }
  return { kind: 'list', items, at }
}

/** `[1, 2]`, `['a': 1]`, `[]` and `[:]`. */
function parseInitializer(reader: TokenReader): Expression {
  const { at } = reader.expect('[')
  if (reader.accept(']')) return { kind: 'list', items: [], at }
  if (reader.accept(':')) {
    reader.expect(']')
    return { kind: 'map', entries: [], at }
  }
  const first = parseExpression(reader)
  if (!reader.accept(':')) {
    const items = [first]
    while (reader.accept(',')) items.push(parseExpression(reader))
    reader.expect(']')
    return { kind: 'list', items, at }
  }
  const entries: [Expression, Expression][] = [[first, parseExpression(reader)]]
  while (reader.accept(',')) {
    const key = parseExpression(reader)
    reader.expect(':')
    entries.push([key, parseExpression(reader)])
  }
  reader.expect(']')
  return { kind: 'map', entries, at }
}
