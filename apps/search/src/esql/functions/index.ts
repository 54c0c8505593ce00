import type { EsqlFunction } from '../define-function.ts'
import { mathFunctions } from './math.ts'

/** All scalar functions, by name and alias. A new family is one file and one line here. */
const families: readonly (readonly EsqlFunction[])[] = [mathFunctions]

export const scalarFunctions: ReadonlyMap<string, EsqlFunction> = new Map(
  families.flat().flatMap((each) => [each.name, ...(each.aliases ?? [])].map((name) => [name, each] as const)),
)
