import { placeOf, syntaxError } from '@logstack/errors'
import type { Command, EsqlQuery, NamedAggregate, NamedExpression, NamePattern, SortOrder } from './ast.ts'
import { exactName, policyName } from './enrich-names.ts'
import { aCommand, anIndex, aSource, aString } from './expected.ts'
import { indexNames } from './index-names.ts'
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
  const written = parser.text.slice(of.from, of.to)
  // In brackets a name is an expression like any other.
  return of.kind === 'name' && !written.startsWith('(') ? of.name : written
}

function aggregate(parser: Parser): NamedAggregate {
  const read = field(parser)
  const where = parser.takeKeyword('where') ? parser.expression() : undefined
  if (where === undefined) return { ...read, where }
  if (read.of.kind === 'literal' || read.of.kind === 'name')
    throw syntaxError(
      parser.text,
      where.from,
      `WHERE clause allowed only for aggregate functions [${parser.text.slice(read.from, parser.end)}]`,
    )
  const isNamed = read.from !== read.of.from
  const name = isNamed ? read.name : parser.text.slice(read.from, parser.end)
  return { ...read, name, where, to: parser.end }
}

function order(parser: Parser): SortOrder {
  const of = parser.expression()
  const descending = parser.takeKeyword('desc')
  if (!descending) parser.takeKeyword('asc')
  if (!parser.takeKeyword('nulls')) return { of, descending, nullsFirst: descending }
  const nullsFirst = parser.takeKeyword('first')
  if (!nullsFirst && !parser.takeKeyword('last')) {
    const places = "{'first', 'last'}"
    if (parser.endsField()) parser.miss(places)
    parser.refuse(places)
  }
  return { of, descending, nullsFirst }
}

function text(parser: Parser): string {
  const token = parser.peek()
  if (token.kind === 'parameter') return String(parser.parameter(token).value)
  if (token.kind === 'string') return parser.take().text
  if (token.kind === 'end' || parser.isSign('|')) parser.miss('QUOTED_STRING')
  return parser.refuse(aString)
}

function index(parser: Parser): string {
  const token = parser.peekIndexPattern()
  if (token.kind === 'end' || token.kind === 'sign') parser.refuse(anIndex, token)
  return parser.took(token).text
}

function indices(parser: Parser): string[] {
  return list(parser, () => {
    const { from: at } = parser.peekIndexPattern()
    return indexNames(index(parser), (reason) => syntaxError(parser.text, at, reason))
  }).flat()
}

/** What can be asked of documents beside their fields. */
const metadataNames: ReadonlySet<string> = new Set([
  '_id',
  '_ignored',
  '_index',
  '_index_mode',
  '_score',
  '_source',
  '_version',
])

function metadataFields(parser: Parser): NamePattern[] {
  const known = new Map<string, NamePattern>()
  return list(parser, () => {
    const next = parser.peek()
    if (next.kind === 'end' || parser.isSign('|')) parser.miss('UNQUOTED_SOURCE')
    if (next.kind === 'string') parser.refuse('UNQUOTED_SOURCE')
    const token = parser.took(parser.peekIndexPattern())
    const field = { name: token.text, isPattern: false, from: token.from, to: token.to }
    if (!metadataNames.has(field.name))
      throw syntaxError(parser.text, field.from, `unsupported metadata field [${field.name}]`)
    const before = known.get(field.name)
    if (before)
      throw syntaxError(
        parser.text,
        field.from,
        `metadata field [${field.name}] already declared [${placeOf(parser.text, before.from).replace('line ', '@')}]`,
      )
    known.set(field.name, field)
    return field
  })
}

const from: Read = (parser, at) => {
  const names = indices(parser)
  const bracketed = parser.isSign('[') ? parser.take() : undefined
  const metadata = parser.takeKeyword('metadata') ? metadataFields(parser) : []
  if (bracketed) parser.expectSign(']')
  return placed(parser, at, {
    command: 'from',
    indices: names,
    metadata,
    ...(bracketed ? { bracket: bracketed.from } : {}),
  })
}

const stats: Read = (parser, at) => {
  const isGrouped = () => parser.takeKeyword('by')
  const onlyGroups = isGrouped()
  if (!onlyGroups && (parser.peek().kind === 'end' || parser.isSign('|')))
    throw syntaxError(parser.text, at, 'At least one aggregation or grouping expression required in [STATS]')
  const aggregates = onlyGroups ? [] : list(parser, () => aggregate(parser))
  const by = onlyGroups || isGrouped() ? list(parser, () => field(parser)) : []
  return placed(parser, at, { command: 'stats', aggregates, by })
}

const rename: Read = (parser, at) => {
  const renames = list(parser, () => {
    const first = parser.name()
    const isAssigned = parser.takeSign('=')
    if (!isAssigned && !parser.takeKeyword('as')) {
      const found = parser.peek()
      const end = found.kind === 'end' ? parser.end : found.to
      throw syntaxError(
        parser.text,
        found.from,
        `no viable alternative at input '${parser.text.slice(first.from, end)}'`,
      )
    }
    const second = parser.name()
    if (first.isPattern || second.isPattern)
      throw syntaxError(
        parser.text,
        first.from,
        `Using wildcards [*] in RENAME is not allowed [${parser.text.slice(first.from, second.to)}]`,
      )
    return isAssigned ? { from: second, to: first } : { from: first, to: second }
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
      throw syntaxError(parser.text, at, `Invalid option for dissect: [${option.text}]`)
    parser.expectSign('=')
    const given = parser.constant()
    if (typeof given.value !== 'string')
      throw syntaxError(
        parser.text,
        at,
        `Invalid value for dissect append_separator: expected a string, but was [${String(given.value)}]`,
      )
    separator = given.value
  }
  return placed(parser, at, { command: 'dissect', of, pattern, separator })
}

const grok: Read = (parser, at) => {
  const of = parser.expression()
  return placed(parser, at, { command: 'grok', of, patterns: list(parser, () => text(parser)) })
}

const enrich: Read = (parser, at) => {
  const policy = policyName(parser)
  const on = parser.takeKeyword('on') ? exactName(parser, at) : undefined
  const fields = parser.takeKeyword('with')
    ? list(parser, () => {
        const { name } = exactName(parser)
        return { name, of: parser.takeSign('=') ? exactName(parser).name : name }
      })
    : undefined
  return placed(parser, at, { command: 'enrich', ...policy, on, fields })
}

const lookup: Read = (parser, at) => {
  if (!parser.takeKeyword('join')) parser.miss("'join'", parser.peekIndexPattern())
  const { from: start } = parser.peekIndexPattern()
  if (parser.isKeyword('on')) parser.refuse(anIndex)
  const name = index(parser)
  const place = { from: start, to: parser.end }
  if (/[*,]/u.test(name))
    throw syntaxError(parser.text, start, `invalid index pattern [${name}], * is not allowed in LOOKUP JOIN`)
  if (name.includes(':'))
    throw syntaxError(
      parser.text,
      start,
      `invalid index pattern [${name}], remote clusters are not supported in LOOKUP JOIN`,
    )
  if (parser.isSign(',')) parser.tokens.unknownSign(parser.peek().from)
  parser.expectKeyword('on')
  return placed(parser, at, { command: 'lookup', index: name, place, on: list(parser, () => joinField(parser)) })
}

function joinField(parser: Parser): NamePattern {
  const of = parser.expression()
  if (of.kind === 'name') return { name: of.name, isPattern: false, from: of.from, to: of.to }
  const written = parser.text.slice(of.from, of.to)
  throw syntaxError(parser.text, of.from, `JOIN ON clause only supports fields at the moment, found [${written}]`)
}

const limit: Read = (parser, at) => {
  const { value, type, from } = parser.constant()
  if (typeof value === 'bigint' && value >= 0n && value < 2n ** 31n)
    return placed(parser, at, { command: 'limit', count: Number(value) })
  const written = parser.text.slice(from, parser.end)
  throw syntaxError(
    parser.text,
    at,
    `value of [${parser.text.slice(at, parser.end)}] must be a non negative integer, found value [${written}] type [${type}]`,
  )
}

const sample: Read = (parser, at) => {
  const { value, from } = parser.constant()
  const isShare = typeof value === 'number' && value > 0 && value < 1
  if (isShare) return placed(parser, at, { command: 'sample', probability: value })
  const written = typeof value === 'string' ? value : parser.text.slice(from, parser.end)
  throw syntaxError(
    parser.text,
    at,
    `invalid value for SAMPLE probability [${written}], expecting a number between 0 and 1, exclusive`,
  )
}

const sources: Readonly<Record<string, Read>> = {
  from,
  row: (parser, at) => placed(parser, at, { command: 'row', fields: list(parser, () => field(parser)) }),
  show: (parser, at) => {
    if (!parser.takeKeyword('info')) {
      if (parser.peek().kind === 'end' || parser.isSign('|')) parser.miss("'info'")
      parser.tokens.unknownSign(parser.peek().from)
    }
    return placed(parser, at, { command: 'show' })
  },
}

const processing: Readonly<Record<string, Read>> = {
  where: (parser, at) => placed(parser, at, { command: 'where', condition: parser.expression() }),
  eval: (parser, at) => placed(parser, at, { command: 'eval', fields: list(parser, () => field(parser)) }),
  stats,
  keep: (parser, at) => placed(parser, at, { command: 'keep', names: list(parser, () => parser.name()) }),
  drop: (parser, at) => {
    const names = list(parser, () => parser.name())
    const all = names.find(({ name, isPattern }) => name === '*' && isPattern)
    if (all) throw syntaxError(parser.text, all.from, 'Removing all fields is not allowed [*]')
    return placed(parser, at, { command: 'drop', names })
  },
  rename,
  sort: (parser, at) => placed(parser, at, { command: 'sort', orders: list(parser, () => order(parser)) }),
  limit,
  mv_expand: (parser, at) => placed(parser, at, { command: 'mv_expand', name: parser.name() }),
  dissect,
  grok,
  enrich,
  lookup,
  sample,
}

/** The commands that search answers, sources first. */
export const commandNames: readonly string[] = [...Object.keys(sources), ...Object.keys(processing)]

/** What Elasticsearch knows and search does not answer: refused by name. */
const refusedSources: ReadonlySet<string> = new Set(['explain'])
const refusedCommands: ReadonlySet<string> = new Set(['completion', 'change_point'])

/** What may follow a name or an expression of each command besides the end and the next command. */
const following: Readonly<Partial<Record<Command['command'], readonly string[]>>> = {
  from: ["','", "'['", "'metadata'"],
  keep: ["','", "'.'"],
  drop: ["','", "'.'"],
  rename: ["','", "'.'"],
  enrich: ["'.'", "'with'"],
}
const lists: ReadonlySet<Command['command']> = new Set(['row', 'eval', 'stats', 'sort'])
const operators = ["'or'", "'+'", "'-'", "'*'", "'/'", "'%'"]

/** Throws for what stands behind a command. */
function refuseRest(parser: Parser, { command: name }: Command): never {
  const token = parser.peek()
  if (
    ['keep', 'drop', 'rename', 'mv_expand', 'show', 'enrich'].includes(name) &&
    token.kind === 'sign' &&
    !['.', ','].includes(token.text)
  )
    parser.tokens.unknownSign(token.from)
  if (name === 'show') parser.tokens.unknownSign(token.from)
  if (parser.second().kind === 'end' && name !== 'from')
    throw syntaxError(parser.text, token.from, `extraneous input '${parser.written(token)}' expecting <EOF>`)
  const isName =
    /[\p{L}\p{N}_@`]/u.test(parser.text[parser.end - 1] ?? '') && !/\d/u.test(parser.text[parser.end - 1] ?? '')
  const more =
    following[name] ??
    (lists.has(name) || name === 'where'
      ? ["'and'", "'::'", ...(lists.has(name) ? ["','"] : []), ...(isName ? ["'.'"] : []), ...operators]
      : [])
  return parser.refuse(`{${['<EOF>', "'|'", ...more].join(', ')}}`)
}

function command(parser: Parser, known: Readonly<Record<string, Read>>): Command {
  const token = parser.peek()
  const name = token.text.toLowerCase()
  const read = token.kind === 'name' && Object.hasOwn(known, name) ? known[name] : undefined
  const isRefused = token.kind === 'name' && (known === sources ? refusedSources : refusedCommands).has(name)
  if (!read && !isRefused) return parser.refuse(known === sources ? aSource : aCommand)
  parser.take()
  if (!read) throw syntaxError(parser.text, token.from, `${name.toUpperCase()} is not supported`)
  parser.tokens.takesPatterns = ['keep', 'drop', 'rename', 'enrich'].includes(name)
  const made = read(parser, token.from)
  if (parser.peek().kind !== 'end' && !parser.isSign('|')) refuseRest(parser, made)
  parser.tokens.takesPatterns = false
  return made
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
  return { text, commands }
}
