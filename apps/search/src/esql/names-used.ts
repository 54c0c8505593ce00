import type { Command, EsqlQuery, Expression } from '@logstack/esql'

/** The names that a query takes from its indices, or `*` where it may show all of them. Names that it makes itself may be among them. */
export function namesUsed({ commands }: EsqlQuery): ReadonlySet<string> {
  const names = new Set<string>()
  let isNarrowed = false
  for (const command of commands) {
    for (const name of namesOf(command)) names.add(name)
    if (command.command === 'stats' || command.command === 'keep') isNarrowed = true
  }
  if (!isNarrowed) names.add('*')
  return names
}

function namesOf(command: Command): readonly string[] {
  switch (command.command) {
    case 'keep':
    case 'drop':
      return command.names.map(({ name }) => name)
    case 'rename':
      return command.renames.map(({ from }) => from.name)
    case 'mv_expand':
      return [command.name.name]
    case 'lookup':
      return command.on.map(({ name }) => name)
    case 'enrich':
      return [command.on?.name ?? '*']
    default:
      return expressionsOf(command).flatMap(namesIn)
  }
}

/** The expressions that a command computes. */
export function expressionsOf(command: Command): readonly Expression[] {
  switch (command.command) {
    case 'where':
      return [command.condition]
    case 'eval':
    case 'row':
      return command.fields.map(({ of }) => of)
    case 'stats':
      return [
        ...command.aggregates.flatMap(({ of, where }) => (where ? [of, where] : [of])),
        ...command.by.map(({ of }) => of),
      ]
    case 'sort':
      return command.orders.map(({ of }) => of)
    case 'dissect':
    case 'grok':
      return [command.of]
    default:
      return []
  }
}

/** All names in an expression. */
export function namesIn(expression: Expression): readonly string[] {
  switch (expression.kind) {
    case 'name':
      return [expression.name]
    case 'literal':
    case 'star':
    case 'options':
      return []
    case 'call':
      return expression.args.flatMap(namesIn)
    case 'and':
    case 'or':
    case 'comparison':
    case 'arithmetic':
      return [expression.left, expression.right].flatMap(namesIn)
    case 'in':
      return [expression.of, ...expression.among].flatMap(namesIn)
    case 'like':
    case 'rlike':
      return [expression.of, ...expression.patterns].flatMap(namesIn)
    case 'match':
      return [expression.of, expression.query].flatMap(namesIn)
    default:
      return namesIn(expression.of)
  }
}
