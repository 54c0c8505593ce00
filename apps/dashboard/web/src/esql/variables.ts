import type { EsqlParameter } from '../api/esql.ts'
import { namesOfParameters } from './query-text.ts'

/** A parameter that a reader chooses: `?name` or `??name` in a query. */
export interface EsqlVariable {
  readonly name: string
  readonly value: EsqlParameter
}

/** Of these variables, those a query names. */
export function variablesIn(esql: string, variables: readonly EsqlVariable[]): EsqlVariable[] {
  if (variables.length === 0) return []
  const named = namesOfParameters(esql)
  return variables.filter(({ name }) => named.has(name))
}

/** What was chosen for each variable, in the address: one compact JSON object. */
export type VariableChoices = Readonly<Record<string, readonly string[]>>

/** Reads what `writeChoices` wrote; what is no choice is left out. */
export function readChoices(text: string | undefined): VariableChoices {
  if (!text) return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
    return Object.fromEntries(Object.entries(value).filter(([, chosen]) => isTexts(chosen)))
  } catch {
    return {}
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

/** The inverse of `readChoices`; nothing for no choices. */
export function writeChoices(choices: VariableChoices): string | undefined {
  return Object.keys(choices).length === 0 ? undefined : JSON.stringify(choices)
}
