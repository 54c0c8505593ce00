import type { EsqlFunction } from '../define-function.ts'
import { addressFunctions } from './addresses.ts'
import { bucketFunctions } from './buckets.ts'
import { conditionalFunctions } from './conditionals.ts'
import { conversionFunctions } from './conversions.ts'
import { dateFunctions } from './dates.ts'
import { fullTextFunctions } from './full-text.ts'
import { hashFunctions } from './hashes.ts'
import { mathFunctions } from './math.ts'
import { multiValueNumberFunctions } from './multi-value-numbers.ts'
import { multiValueFunctions } from './multi-values.ts'
import { pointFunctions } from './points.ts'
import { replaceFunctions } from './replace.ts'
import { stringFunctions } from './strings.ts'

/** All scalar functions, by name and alias. A new family is one file and one line here. */
const families: readonly (readonly EsqlFunction[])[] = [
  addressFunctions,
  bucketFunctions,
  conditionalFunctions,
  conversionFunctions,
  dateFunctions,
  fullTextFunctions,
  hashFunctions,
  mathFunctions,
  multiValueFunctions,
  multiValueNumberFunctions,
  pointFunctions,
  replaceFunctions,
  stringFunctions,
]

export const scalarFunctions: ReadonlyMap<string, EsqlFunction> = new Map(
  families.flat().flatMap((each) => [each.name, ...(each.aliases ?? [])].map((name) => [name, each] as const)),
)

/** The functions that are a query of the DSL and nothing else. */
export const fullTextNames: ReadonlySet<string> = new Set(fullTextFunctions.map(({ name }) => name))
