import type { Command, CommandOf } from '@logstack/esql'

/** How many of the newest documents a query asks for, and what comes of those without a time. */
export interface NewestWanted {
  readonly count: number
  readonly nullsFirst: boolean
}

/**
 * Whether a query shows so many of the newest documents: sorted by `@timestamp` downwards and cut, with nothing that makes rows more or fewer behind it. Then an answer out of a
 * part of the newest rows is the right one if it has as many rows. Undefined for all others.
 */
export function newestWanted(commands: readonly Command[]): NewestWanted | undefined {
  let nullsFirst: boolean | undefined
  let count: number | undefined
  for (const command of commands) {
    if (namesTimeAnew(command)) return undefined
    switch (command.command) {
      case 'where':
        if (count !== undefined) return undefined
        break
      case 'eval':
      case 'rename':
      case 'keep':
      case 'drop':
        break
      case 'sort':
        nullsFirst = newestFirst(command)
        if (nullsFirst === undefined) return undefined
        break
      case 'limit':
        if (nullsFirst === undefined) return undefined
        count = Math.min(command.count, count ?? rowsMax)
        break
      default:
        return undefined
    }
  }
  return count === undefined || count === 0 || nullsFirst === undefined ? undefined : { count, nullsFirst }
}

/** Whether `@timestamp` is something else behind a command. */
function namesTimeAnew(command: Command): boolean {
  if (command.command === 'eval') return command.fields.some(({ name }) => name === timestamp)
  return (
    command.command === 'rename' && command.renames.some(({ from, to }) => [from.name, to.name].includes(timestamp))
  )
}

/** Of an order by `@timestamp` downwards whether those without one come first; undefined of all others. */
function newestFirst({ orders: [first] }: CommandOf<'sort'>): boolean | undefined {
  const isNewest = first?.of.kind === 'name' && first.of.name === timestamp && first.descending
  return isNewest ? first.nullsFirst : undefined
}

const timestamp = '@timestamp'
/** More rows are not to be had. */
const rowsMax = 10_000
