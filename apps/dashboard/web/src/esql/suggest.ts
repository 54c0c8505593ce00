import { namesLike } from '../query/suggest.ts'
import words from './esql-words.json'
import { commandName, commandsOf } from './query-text.ts'

/** What may be written at the cursor of a query, in place of the text from `from` on. */
export interface EsqlCompletion {
  readonly from: number
  readonly options: readonly EsqlOption[]
}

/** One of them: what is shown, and what is written. */
export interface EsqlOption {
  readonly label: string
  readonly insert: string
}

/** What is known while a query is written. */
export interface KnownNames {
  /** Indices and patterns of them. */
  readonly indices: readonly string[]
  /** Fields of the indices that the query reads. */
  readonly fields: readonly string[]
}

const namesMax = 12
const sources = ['FROM', 'ROW', 'SHOW']
const metadata = ['_id', '_index', '_version', '_score', '_source', '_ignored']
/** Words that belong to a command, behind its first operand. */
const joints: Readonly<Record<string, readonly string[]>> = {
  FROM: ['METADATA'],
  WHERE: ['AND', 'OR', 'NOT', 'IN', 'LIKE', 'RLIKE', 'IS NULL', 'IS NOT NULL'],
  STATS: ['BY', 'WHERE', 'AND', 'OR'],
  SORT: ['ASC', 'DESC', 'NULLS FIRST', 'NULLS LAST'],
  RENAME: ['AS'],
  LOOKUP: ['JOIN', 'ON'],
  EVAL: ['AND', 'OR', 'NOT', 'IN', 'LIKE', 'RLIKE', 'IS NULL', 'IS NOT NULL'],
}
const callers = new Set(['EVAL', 'WHERE', 'STATS', 'SORT', 'ROW'])

/** What may come next, or go on with what is typed; undefined within texts and comments, and where nothing is known. */
export function suggestEsql(query: string, cursor: number, known: KnownNames): EsqlCompletion | undefined {
  const before = query.slice(0, cursor)
  if (isWithinText(before)) return undefined
  const commands = commandsOf(before)
  const written = commands.at(-1) ?? ''
  const [, typed = ''] = /([\w@.*-]*)$/u.exec(before) ?? []
  const from = cursor - typed.length
  if (written === typed && /^[a-z_]*$/iu.test(typed)) return offered(from, commandOptions(commands.length, typed))
  const name = commandName(written)
  if (name === 'FROM') return offered(from, sourceOptions(written, typed, known))
  return offered(from, operandOptions(name, { written, typed, earlier: commands.slice(0, -1), known }))
}

function offered(from: number, options: readonly EsqlOption[]): EsqlCompletion | undefined {
  return options.length === 0 ? undefined : { from, options }
}

/** Whether the end of a text lies within quotes or a comment. */
function isWithinText(before: string): boolean {
  const rest = before.replaceAll(
    /"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|`(?:``|[^`])*`|\/\/[^\n]*\n|\/\*[\s\S]*?\*\//gu,
    '',
  )
  return /["`]|\/\/|\/\*/u.test(rest)
}

function commandOptions(count: number, typed: string): EsqlOption[] {
  const names = count === 1 ? sources : words.commands.filter((name) => !sources.includes(name))
  return beginning(names, typed).map((name) => ({ label: name, insert: `${name} ` }))
}

function beginning(names: readonly string[], typed: string): string[] {
  return names.filter((name) => name.startsWith(typed.toUpperCase()))
}

function sourceOptions(written: string, typed: string, { indices }: KnownNames): EsqlOption[] {
  const behind = written.slice(0, written.length - typed.length)
  if (/\bMETADATA\s+(?:[\w.]+\s*,\s*)*$/iu.test(behind)) return plain(namesLike(metadata, typed, namesMax))
  if (/^FROM\s+(?:[^\s,]+\s*,\s*)*$/iu.test(behind)) return plain(namesLike(indices, typed, namesMax))
  return typed === '' ? [] : beginning(joints['FROM'] ?? [], typed).map(spaced)
}

interface Operand {
  readonly written: string
  readonly typed: string
  readonly earlier: readonly string[]
  readonly known: KnownNames
}

function operandOptions(name: string, { written, typed, earlier, known }: Operand): EsqlOption[] {
  const behind = written.slice(0, written.length - typed.length).trimEnd()
  // After an operand nothing but a joint goes on.
  const isNext =
    /[\w"'`)\]]$/u.test(behind) && !/(?:^\w+|\b(?:by|and|or|not|in|like|rlike|as|on|where|join))$/iu.test(behind)
  const further = typed === '' ? [] : beginning(joints[name] ?? [], typed).map(spaced)
  if (isNext) return further
  const columns = namesLike(columnsAfter(earlier, known.fields), typed, namesMax).map((column) => ({
    label: column,
    insert: quotedName(column),
  }))
  // Names of functions are offered once one begins to be typed: there are many.
  const calls = typed === '' || !callers.has(name) ? [] : callsOf(name, behind, typed)
  return [...columns, ...calls, ...further].slice(0, namesMax)
}

function callsOf(name: string, behind: string, typed: string): EsqlOption[] {
  const isAggregate = name === 'STATS' && !/\bBY\b/iu.test(behind)
  const functions: Readonly<Record<string, string>> = isAggregate
    ? { ...words.aggregates, ...words.functions }
    : words.functions
  return beginning(Object.keys(functions), typed).map((called) => ({
    label: `${called}(${functions[called] ?? ''})`,
    insert: `${called}(`,
  }))
}

const made = /(?:^|[\s,])(`(?:``|[^`])+`|[\w@.]+)\s*=(?!=)/gu

/** The columns there are behind some commands: the fields, and what the commands made; a STATS leaves only what it made and is grouped by. */
function columnsAfter(commands: readonly string[], fields: readonly string[]): string[] {
  let columns = new Set(fields)
  for (const command of commands) {
    const name = commandName(command)
    const own = [...command.matchAll(made)].map(([, column = '']) => column.replaceAll('`', ''))
    if (name === 'STATS') columns = new Set([...own, ...groupsOf(command)])
    else if (name === 'EVAL' || name === 'ROW') for (const column of own) columns.add(column)
  }
  return [...columns]
}

/** The columns by whose values a STATS groups; expressions without a name are left out. */
function groupsOf(command: string): string[] {
  const [, groups = ''] = /\bBY\s+([\s\S]*)$/iu.exec(command) ?? []
  return groups
    .split(',')
    .map((group) => group.trim())
    .filter((group) => /^[\w@.]+$/u.test(group))
}

/** A name as a query has it: in backticks where it is no plain one. */
function quotedName(name: string): string {
  return /^[a-z_@][\w@]*(?:\.[a-z_@][\w@]*)*$/iu.test(name) ? name : `\`${name.replaceAll('`', '``')}\``
}

const plain = (names: readonly string[]): EsqlOption[] => names.map((name) => ({ label: name, insert: name }))
const spaced = (name: string): EsqlOption => ({ label: name, insert: `${name} ` })
