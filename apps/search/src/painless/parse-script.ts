import type { ParsedScript, ScriptFunction, Statement } from './ast.ts'
import { tokenizeScript } from './lexer.ts'
import { parseExpression } from './parse-expression.ts'
import { acceptType } from './read-type.ts'
import { TokenReader } from './token-reader.ts'

/** Parses a script into its functions and statements. Throws a `ScriptFault`. */
export function parseScript(source: string): ParsedScript {
  const reader = new TokenReader(tokenizeScript(source), parseBlock)
  const functions: ScriptFunction[] = []
  for (let found = parseFunction(reader); found; found = parseFunction(reader)) functions.push(found)
  const body: Statement[] = []
  while (reader.peek().kind !== 'end') {
    const statement = parseStatement(reader)
    if (statement) body.push(statement)
  }
  return { functions, body }
}

/** `type name(type parameter, …) {…}`; undefined, and nothing taken, where none stands. */
function parseFunction(reader: TokenReader): ScriptFunction | undefined {
  const start = reader.mark()
  const { at } = reader.peek()
  const returns = acceptType(reader)
  if (returns === undefined || reader.peek().kind !== 'name' || !reader.sees('(', 1)) {
    reader.reset(start)
    return undefined
  }
  const name = reader.expectName()
  const parameters: { type: string; name: string }[] = []
  reader.expect('(')
  while (!reader.accept(')')) {
    if (parameters.length > 0) reader.expect(',')
    const type = acceptType(reader)
    if (type === undefined) throw reader.unexpected('TYPE')
    parameters.push({ type, name: reader.expectName() })
  }
  return { returns, name, parameters, body: parseBlock(reader), at }
}

function parseBlock(reader: TokenReader): Statement[] {
  reader.expect('{')
  const body: Statement[] = []
  while (!reader.accept('}')) {
    if (reader.peek().kind === 'end') throw reader.unexpected("'}'")
    const statement = parseStatement(reader)
    if (statement) body.push(statement)
  }
  return body
}

/** One statement; undefined for a lone semicolon. */
function parseStatement(reader: TokenReader): Statement | undefined {
  const { at, kind, text } = reader.peek()
  if (reader.accept(';')) return undefined
  if (reader.sees('{')) return { kind: 'block', body: parseBlock(reader), at }
  const parse = kind === 'name' && Object.hasOwn(keywords, text) ? keywords[text] : undefined
  if (parse) {
    reader.take()
    return parse(reader, at)
  }
  const statement = parseDeclaration(reader) ?? expressionStatement(reader)
  endStatement(reader)
  return statement
}

function expressionStatement(reader: TokenReader): Statement {
  const { at } = reader.peek()
  return { kind: 'expression', expression: parseExpression(reader), at }
}

/** A semicolon, which the last statement of a script or block may leave out. */
function endStatement(reader: TokenReader): void {
  if (reader.accept(';') || reader.sees('}') || reader.peek().kind === 'end') return
  throw reader.unexpected("{<EOF>, ';'}")
}

function parseDeclaration(reader: TokenReader): Statement | undefined {
  const start = reader.mark()
  const { at } = reader.peek()
  const type = acceptType(reader)
  if (type === undefined || reader.peek().kind !== 'name' || reader.sees('instanceof')) {
    reader.reset(start)
    return undefined
  }
  const names: { name: string; value: ReturnType<typeof parseExpression> | undefined }[] = []
  do {
    const name = reader.expectName()
    names.push({ name, value: reader.accept('=') ? parseExpression(reader) : undefined })
  } while (reader.accept(','))
  return { kind: 'declare', type, names, at }
}

function body(reader: TokenReader): Statement {
  const { at } = reader.peek()
  return parseStatement(reader) ?? { kind: 'block', body: [], at }
}

type ParseKeyword = (reader: TokenReader, at: number) => Statement

const keywords: Readonly<Record<string, ParseKeyword>> = {
  if(reader, at) {
    reader.expect('(')
    const test = parseExpression(reader)
    reader.expect(')')
    const then = body(reader)
    return { kind: 'if', test, then, otherwise: reader.accept('else') ? body(reader) : undefined, at }
  },
  while(reader, at) {
    reader.expect('(')
    const test = parseExpression(reader)
    reader.expect(')')
    return { kind: 'for', initial: undefined, test, update: undefined, body: body(reader), bodyFirst: false, at }
  },
  do(reader, at) {
    const inner = body(reader)
    reader.expect('while')
    reader.expect('(')
    const test = parseExpression(reader)
    reader.expect(')')
    endStatement(reader)
    return { kind: 'for', initial: undefined, test, update: undefined, body: inner, bodyFirst: true, at }
  },
  for: parseFor,
  return(reader, at) {
    const empty = reader.sees(';') || reader.sees('}') || reader.peek().kind === 'end'
    const value = empty ? undefined : parseExpression(reader)
    endStatement(reader)
    return { kind: 'return', value, at }
  },
  throw(reader, at) {
    const value = parseExpression(reader)
    endStatement(reader)
    return { kind: 'throw', value, at }
  },
  try(reader, at) {
    const tried: Statement = { kind: 'block', body: parseBlock(reader), at }
    const catches: { type: string; name: string; body: Statement }[] = []
    while (reader.sees('catch')) {
      const start = reader.take().at
      reader.expect('(')
      const type = reader.expectName()
      const name = reader.expectName()
      reader.expect(')')
      catches.push({ type, name, body: { kind: 'block', body: parseBlock(reader), at: start } })
    }
    if (catches.length === 0) throw reader.unexpected("'catch'")
    return { kind: 'try', body: tried, catches, at }
  },
  break(reader, at) {
    endStatement(reader)
    return { kind: 'break', at }
  },
  continue(reader, at) {
    endStatement(reader)
    return { kind: 'continue', at }
  },
}

function parseFor(reader: TokenReader, at: number): Statement {
  reader.expect('(')
  const each = parseEachHead(reader)
  if (each) {
    const over = parseExpression(reader)
    reader.expect(')')
    return { kind: 'each', ...each, over, body: body(reader), at }
  }
  const initial = reader.sees(';') ? undefined : (parseDeclaration(reader) ?? expressionStatement(reader))
  reader.expect(';')
  const test = reader.sees(';') ? undefined : parseExpression(reader)
  reader.expect(';')
  const update = reader.sees(')') ? undefined : parseExpression(reader)
  reader.expect(')')
  return { kind: 'for', initial, test, update, body: body(reader), bodyFirst: false, at }
}

/** `type name :` or `name in`; undefined, and nothing taken, where neither stands. */
function parseEachHead(reader: TokenReader): { readonly type: string; readonly name: string } | undefined {
  const start = reader.mark()
  if (reader.peek().kind === 'name' && reader.sees('in', 1)) {
    const name = reader.expectName()
    reader.take()
    return { type: 'def', name }
  }
  const type = acceptType(reader)
  if (type !== undefined && reader.peek().kind === 'name' && reader.sees(':', 1)) {
    const name = reader.expectName()
    reader.take()
    return { type, name }
  }
  reader.reset(start)
  return undefined
}
