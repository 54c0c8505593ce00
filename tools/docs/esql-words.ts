import { commandNames } from '@logstack/esql'
import { aggregateFunctions } from '../../apps/search/src/esql/aggregates/index.ts'
import type { FunctionParameter } from '../../apps/search/src/esql/define-function.ts'
import { scalarFunctions } from '../../apps/search/src/esql/functions/index.ts'

interface Described {
  readonly aliases?: readonly string[]
  readonly params: readonly FunctionParameter[]
}

/** The name of a command as it is written. */
export function writtenCommand(name: string): string {
  return name === 'lookup' ? 'LOOKUP JOIN' : name.toUpperCase()
}

/** Functions by their first names, in order, without those that are only another name of one. */
export function namedFunctions(functions: ReadonlyMap<string, Described>): (readonly [name: string, Described])[] {
  return [...functions]
    .filter(([name], at, all) => all.findIndex(([, each]) => each === functions.get(name)) === at)
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Its parameters: those in brackets may be left out, the last may be repeated. */
export function shownParameters(params: readonly FunctionParameter[]): string {
  const shown = params.map(({ name, optional, rest }) => {
    const written = rest ? `${name}, …` : name
    return optional ? `[${written}]` : written
  })
  return shown.join(', ')
}

/** What the dashboard offers while queries in ES|QL are written, from the registries that search runs by. */
export function renderEsqlWords(): string {
  const parametersOf = (functions: ReadonlyMap<string, Described>) =>
    Object.fromEntries(
      namedFunctions(functions).map(([name, { params }]) => [name.toUpperCase(), shownParameters(params)]),
    )
  const words = {
    commands: commandNames.map(writtenCommand),
    functions: parametersOf(scalarFunctions),
    aggregates: parametersOf(aggregateFunctions),
  }
  return `${JSON.stringify(words, null, 2)}\n`
}
