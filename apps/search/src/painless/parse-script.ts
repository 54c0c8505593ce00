import type { Statement } from './ast.ts'
import { tokenizeScript } from './lexer.ts'
import { parseExpression } from './parse-expression.ts'
import { TokenReader } from './token-reader.ts'
import { isType } from './types.ts'

/** Parses a script into its statements. Throws a `ScriptFault`. */
export function parseScript(source: string): Statement[] {
  const reader = new TokenReader(tokenizeScript(source))
  const statements: Statement[] = []
  while (reader.peek().kind !== 'end') {
    const statement = parseStatement(reader)
    if (statement) statements.push(statement)
  }
  return statements
}

/** One statement; undefined for a lone semicolon. */
function parseStatement(reader: TokenReader): Statement | undefined {
  const { at, kind, text } = reader.peek()
  if (reader.accept(';')) return undefined
  if (reader.accept('{')) {
    const body: Statement[] = []
    while (!reader.accept('}')) {
      if (reader.peek().kind === 'end') throw reader.unexpected("'}'")
      const statement = parseStatement(reader)
      if (statement) body.push(statement)
    }
    return { kind: 'block', body, at }
  }
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
  const { at, kind, text } = reader.peek()
  if (kind !== 'name' || !isType(text) || reader.peek(1).kind !== 'name' || reader.sees('instanceof', 1))
    return undefined
  reader.take()
  const names: { name: string; value: ReturnType<typeof parseExpression> | undefined }[] = []
  do {
    const name = reader.expectName()
    names.push({ name, value: reader.accept('=') ? parseExpression(reader) : undefined })
  } while (reader.accept(','))
  return { kind: 'declare', type: text, names, at }
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
  const typed = reader.peek().kind === 'name' && reader.peek(1).kind === 'name' && reader.sees(':', 2)
  const named = reader.peek().kind === 'name' && reader.sees('in', 1)
  if (typed || named) {
    if (typed) reader.take()
    const name = reader.expectName()
    reader.take()
    const over = parseExpression(reader)
    reader.expect(')')
    return { kind: 'each', name, over, body: body(reader), at }
  }
  const initial = reader.sees(';') ? undefined : (parseDeclaration(reader) ?? expressionStatement(reader))
  reader.expect(';')
  const test = reader.sees(';') ? undefined : parseExpression(reader)
  reader.expect(';')
  const update = reader.sees(')') ? undefined : parseExpression(reader)
  reader.expect(')')
  return { kind: 'for', initial, test, update, body: body(reader), bodyFirst: false, at }
}
