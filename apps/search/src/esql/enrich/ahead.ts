import type { Command, CommandOf } from '@logstack/esql'
import { enrichPolicies } from '../../enrich/policy.ts'
import type { Store } from '../../store/store.ts'
import { expressionsOf, namesIn } from '../names-used.ts'
import { rowsDefault } from '../rows-default.ts'

/**
 * The commands of a query, with those said once more before an ENRICH that only take rows away behind it and know nothing of what it adds: conditions, an order, a limit.
 * The rows of the answer are the same; what is looked up is only what they need.
 */
export function withRowsTakenFirst(commands: readonly Command[], store: Pick<Store, 'collection'>): readonly Command[] {
  return commands.flatMap((command, at) => {
    if (command.command !== 'enrich') return [command]
    const added = addedNames(command, store)
    return added ? [...takenFirst(commands.slice(at + 1), added), command] : [command]
  })
}

/** The names of the columns that ENRICH adds; undefined where its policy is not known. */
function addedNames({ policy, fields }: CommandOf<'enrich'>, store: Pick<Store, 'collection'>): string[] | undefined {
  const found = enrichPolicies(store).get(policy)
  return found && (fields?.map(({ name }) => name) ?? [...found.policy.enrich_fields])
}

function takenFirst(behind: readonly Command[], added: readonly string[]): readonly Command[] {
  const copies: Command[] = []
  const names = new Set(added)
  let kept = 0
  for (const command of behind) {
    if (command.command === 'limit') return [...copies, command]
    if (command.command === 'where' || command.command === 'sort') {
      if (!isKnownBefore(command, names)) return copies.slice(0, kept)
      copies.push(command)
      if (command.command === 'where') kept = copies.length
      continue
    }
    const made = namesMade(command)
    if (!made) return copies.slice(0, kept)
    for (const name of made) names.add(name)
  }
  const { from = 0, to = 0 } = behind.at(-1) ?? {}
  return [...copies, { command: 'limit', count: rowsDefault, from, to }]
}

function isKnownBefore(command: Command, made: ReadonlySet<string>): boolean {
  return !expressionsOf(command)
    .flatMap(namesIn)
    .some((name) => made.has(name))
}

/** The names that a command makes or takes away which leaves the rows as many as they are; undefined for all others. */
function namesMade(command: Command): readonly string[] | undefined {
  switch (command.command) {
    case 'keep':
    case 'drop':
      return []
    case 'eval':
      return command.fields.map(({ name }) => name)
    case 'rename':
      return command.renames.flatMap(({ from, to }) => [from.name, to.name])
    default:
      return undefined
  }
}
