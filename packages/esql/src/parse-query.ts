import { syntaxError } from '@logstack/errors'
import type { Command, EsqlQuery, NamedAggregate, NamedExpression, NamePattern, SortOrder } from './ast.ts'
import { Parser } from './parse-expression.ts'
import type { Parameter } from './token-reader.ts'

/** How many commands a query may have. */
const commandsMax = 500
/** How many fields, names and criteria the commands of a query list together: each is held against all columns before it. */
const itemsMax = 3_000

type Read = (parser: Parser, from: number) => Command

/** A command as it was read, with its place. */
function placed<Kind extends object>(parser: Parser, from: number, command: Kind): Kind & { from: number; to: number } {
  return { ...command, from, to: parser.end }
}

function list<Item>(parser: Parser, item: () => Item): Item[] {
  const items: Item[] = []
  do {
    parser.listed += 1
    if (parser.listed > itemsMax)
      throw syntaxError(parser.text, parser.peek().from, `the lists of a query hold at most ${itemsMax} items`)
    items.push(item())
  } while (parser.takeSign(','))
  return items
}

/** `name = expression`, or an expression that is its own name. */
function field(parser: Parser): NamedExpression {
  const named = assignedName(parser)
  const from = named?.from ?? parser.peek().from
  const of = parser.expression()
  return { name: named?.name ?? ownName(parser, of), of, from, to: parser.end }
}

/** The name before a `=`; undefined where none stands there. */
function assignedName(parser: Parser): NamePattern | undefined {
  const first = parser.peek()
  if (first.kind !== 'name' && first.kind !== 'quoted' && first.kind !== 'parameter') return undefined
  const probe = new Probe(parser)
  if (!probe.isAssignment()) return undefined
  const name = parser.name()
  parser.expectSign('=')
  return name
}

/** Looks ahead for `a.b =` without taking anything. */
class Probe {
  readonly #parser: Parser

  constructor(parser: Parser) {
    this.#parser = parser
  }

  isAssignment(): boolean {
    let token = this.#parser.peek()
    for (;;) {
      if (token.kind !== 'name' && token.kind !== 'quoted' && token.kind !== 'parameter' && token.kind !== 'whole')
        return false
      token = this.#parser.tokens.at(token.to)
      if (!this.#parser.isSign('.', token)) break
      token = this.#parser.tokens.at(token.to)
    }
    return this.#parser.isSign('=', token)
  }
}

function ownName(parser: Parser, of: NamedExpression['of']): string {
  return of.kind === 'name' ? of.name : parser.text.slice(of.from, of.to)
}

function aggregate(parser: Parser): NamedAggregate {
  const read = field(parser)
  const where = parser.takeKeyword('where') ? parser.expression() : undefined
  if (where === undefined) return { ...read, where }
  const isNamed = read.from !== read.of.from
  const name = isNamed || read.of.kind === 'name' ? read.name : parser.text.slice(read.from, parser.end)
  return { ...read, name, where, to: parser.end }
}

function order(parser: Parser): SortOrder {
  const of = parser.expression()
  const descending = parser.takeKeyword('desc')
  if (!descending) parser.takeKeyword('asc')
  if (!parser.takeKeyword('nulls')) return { of, descending, nullsFirst: descending }
  const nullsFirst = parser.takeKeyword('first')
  if (!nullsFirst) parser.expectKeyword('last')
  return { of, descending, nullsFirst }
}

function text(parser: Parser): string {
  const token = parser.take()
  if (token.kind === 'parameter') return String(parser.parameter(token).value)
  if (token.kind !== 'string')
    throw syntaxError(parser.text, token.from, `mismatched input '${token.text}' expecting a string`)
  return token.text
}

function indices(parser: Parser): string[] {
  return list(parser, () => {
    const token = parser.takeIndexPattern()
    if (token.kind === 'end' || token.kind === 'sign')
      throw syntaxError(parser.text, token.from, `mismatched input '${token.text}' expecting an index pattern`)
    return token.text
  }).flatMap((each) => each.split(','))
}

const from: Read = (parser, at) => {
  const names = indices(parser)
  const bracketed = parser.isSign('[') && parser.take() !== undefined
  const metadata = parser.takeKeyword('metadata') ? list(parser, () => parser.name()) : []
  if (bracketed) parser.expectSign(']')
  return placed(parser, at, { command: 'from', indices: names, metadata })
}

const stats: Read = (parser, at) => {
  const isGrouped = () => parser.takeKeyword('by')
  const onlyGroups = isGrouped()
  const aggregates = onlyGroups ? [] : list(parser, () => aggregate(parser))
  const by = onlyGroups || isGrouped() ? list(parser, () => field(parser)) : []
  return placed(parser, at, { command: 'stats', aggregates, by })
}

const rename: Read = (parser, at) => {
  const renames = list(parser, () => {
    const first = parser.name()
    if (parser.takeSign('=')) return { from: parser.name(), to: first }
    parser.expectKeyword('as')
    return { from: first, to: parser.name() }
  })
  return placed(parser, at, { command: 'rename', renames })
}

const dissect: Read = (parser, at) => {
  const of = parser.expression()
  const pattern = text(parser)
  let separator: string | undefined
  while (parser.peek().kind === 'name') {
    const option = parser.take()
    if (option.text.toLowerCase() !== 'append_separator')
      throw syntaxError(parser.text, option.from, `Invalid option for dissect: [${option.text}]`)
    parser.expectSign('=')
    separator = text(parser)
  }
  return placed(parser, at, { command: 'dissect', of, pattern, separator })
}

const grok: Read = (parser, at) => {
  const of = parser.expression()
  return placed(parser, at, { command: 'grok', of, patterns: list(parser, () => text(parser)) })
}

const enrich: Read = (parser, at) => {
  const policy = parser.takeIndexPattern().text
  const on = parser.takeKeyword('on') ? parser.name() : undefined
  const fields = !parser.takeKeyword('with')
    ? []
    : list(parser, () => {
        const { name } = parser.name()
        return { name, of: parser.takeSign('=') ? parser.name().name : name }
      })
  return placed(parser, at, { command: 'enrich', policy, on, fields })
}

const lookup: Read = (parser, at) => {
  parser.expectKeyword('join')
  const index = parser.takeIndexPattern().text
  parser.expectKeyword('on')
  return placed(parser, at, { command: 'lookup', index, on: list(parser, () => parser.name()) })
}

const sources: Readonly<Record<string, Read>> = {
  from,
  row: (parser, at) => placed(parser, at, { command: 'row', fields: list(parser, () => field(parser)) }),
  show: (parser, at) => {
    parser.expectKeyword('info')
    return placed(parser, at, { command: 'show' })
  },
}

const processing: Readonly<Record<string, Read>> = {
  where: (parser, at) => placed(parser, at, { command: 'where', condition: parser.expression() }),
  eval: (parser, at) => placed(parser, at, { command: 'eval', fields: list(parser, () => field(parser)) }),
  stats,
  keep: (parser, at) => placed(parser, at, { command: 'keep', names: list(parser, () => parser.name()) }),
  drop: (parser, at) => placed(parser, at, { command: 'drop', names: list(parser, () => parser.name()) }),
  rename,
  sort: (parser, at) => placed(parser, at, { command: 'sort', orders: list(parser, () => order(parser)) }),
  limit: (parser, at) => placed(parser, at, { command: 'limit', count: parser.expression() }),
  mv_expand: (parser, at) => placed(parser, at, { command: 'mv_expand', name: parser.name() }),
  dissect,
  grok,
  enrich,
  lookup,
  sample: (parser, at) => placed(parser, at, { command: 'sample', probability: parser.expression() }),
}

/** The commands that search answers, sources first; ENRICH is read so that it can be refused by name. */
export const commandNames: readonly string[] = [...Object.keys(sources), ...Object.keys(processing)].filter(
  (name) => name !== 'enrich',
)

function command(parser: Parser, known: Readonly<Record<string, Read>>): Command {
  const token = parser.peek()
  const name = token.text.toLowerCase()
  const read = token.kind === 'name' && Object.hasOwn(known, name) ? known[name] : undefined
  if (!read)
    return parser.refuse(
      `{${Object.keys(known)
        .map((each) => `'${each}'`)
        .join(', ')}}`,
    )
  parser.take()
  return read(parser, token.from)
}

/** Reads a query; `parameters` stand for its `?`. Throws `parsing_exception` with line and column. */
export function parseQuery(text: string, parameters: readonly Parameter[] = []): EsqlQuery {
  const parser = new Parser(text, parameters)
  const commands = [command(parser, sources)]
  while (parser.takeSign('|')) {
    commands.push(command(parser, processing))
    if (commands.length > commandsMax)
      throw syntaxError(text, parser.peek().from, `a query has at most ${commandsMax} commands`)
  }
  if (parser.peek().kind !== 'end') parser.refuse("{<EOF>, '|'}")
  return { text, commands }
}
