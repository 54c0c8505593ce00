import { parseQuery as parseEql } from '@logstack/eql'
import { placeOf } from '@logstack/errors'
import { type Command, type EsqlQuery, parseQuery as parseEsql } from '@logstack/esql'

/** A rule's query in EQL or ES|QL, ready to be asked, and the index pattern it is asked of. An ES|QL query answers the columns `_index` and `_id`, each pair once. */
export interface LanguageQuery {
  readonly language: 'eql' | 'esql'
  readonly text: string
  /** What an ES|QL query names behind FROM; an EQL query is asked of its rule's index. */
  readonly index?: string
}

/** Reads the query of an `eql:` filter. Throws when it cannot be read, with line and column in the query, or finds something other than single events. */
export function readEqlFilter(text: string): LanguageQuery {
  const query = parseEql(text)
  if (query.kind !== 'event')
    throw new Error(`line 1:1: a ${query.kind} finds several events together; an eql filter must find single events`)
  const [pipe] = query.pipes
  if (pipe)
    throw new Error(
      `${placeOf(text, pipe.at)}: ${pipe.name} leaves events out; a rule is shown every event once, so leave it away`,
    )
  return { language: 'eql', text }
}

const metadata = ['_id', '_index'] as const

/** Why a command cannot stand in an `esql:` filter; those that are not here keep documents. */
const refused: Partial<Record<Command['command'], string>> = {
  row: 'ROW has no documents; an esql filter begins with FROM',
  show: 'SHOW has no documents; an esql filter begins with FROM',
  stats: 'STATS makes rows of its own; an esql filter must keep documents',
  limit: 'LIMIT leaves documents out; a rule is shown every event once, so leave it away',
  sample: 'SAMPLE leaves documents out; a rule is shown every event once, so leave it away',
}

/**
 * Reads the query of an `esql:` filter, and adds what tells documents apart (`METADATA _id, _index`, also behind KEEP) where it is not there. Throws, with line
 * and column in the query, when it cannot be read or does not keep documents.
 */
export function readEsqlFilter(text: string): LanguageQuery {
  const query = parseEsql(text)
  for (const command of query.commands) {
    const problem = refused[command.command] ?? (changesPlaces(command) ? 'keep _id and _index as they are' : undefined)
    if (problem !== undefined) throw new Error(`${placeOf(text, command.from)}: ${problem}`)
  }
  const [from] = query.commands
  // A comment may end the query: what is added stands on a line of its own. Commands that multiply rows find a document several times.
  const whole = `${withPlaces(query)}\n| STATS BY ${metadata.join(', ')}`
  return { language: 'esql', text: whole, index: from?.command === 'from' ? from.indices.join(',') : '' }
}

function changesPlaces(command: Command): boolean {
  const changed = changedNames(command)
  return metadata.some((name) =>
    changed.some((pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name)),
  )
}

function changedNames(command: Command): readonly string[] {
  switch (command.command) {
    case 'drop':
      return command.names.map(({ name }) => name)
    case 'rename':
      return command.renames.flatMap(({ from, to }) => [from.name, to.name])
    case 'eval':
      return command.fields.map(({ name }) => name)
    default:
      return []
  }
}

function withPlaces({ text, commands }: EsqlQuery): string {
  let [whole, at] = ['', 0]
  const insert = (offset: number, added: string): void => {
    whole += text.slice(at, offset) + added
    at = offset
  }
  for (const command of commands) {
    if (command.command === 'from') {
      const last = command.metadata.at(-1)
      const missing = metadata.filter((name) => !command.metadata.some((known) => known.name === name)).join(', ')
      if (missing !== '') insert(last?.to ?? command.to, last ? `, ${missing}` : ` METADATA ${missing}`)
    } else if (command.command === 'keep') insert(command.from + 'keep'.length, ` ${metadata.join(', ')},`)
  }
  return whole + text.slice(at)
}
