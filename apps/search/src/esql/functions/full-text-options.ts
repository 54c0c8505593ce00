import type { Literal } from '@logstack/esql'
import type { FunctionCall } from '../define-function.ts'
import { refuse, type Value } from '../value.ts'

/** What the value of an option is; `any` is a number or a text, as clauses of the DSL take either. */
type OptionKind = 'text' | 'any' | 'whole' | 'number' | 'truth'

/** The options of a function in braces, by name. */
export type OptionKinds = Readonly<Record<string, OptionKind>>

export const matchOptions: OptionKinds = {
  analyzer: 'text',
  auto_generate_synonyms_phrase_query: 'truth',
  boost: 'number',
  fuzziness: 'any',
  fuzzy_rewrite: 'text',
  fuzzy_transpositions: 'truth',
  lenient: 'truth',
  max_expansions: 'whole',
  minimum_should_match: 'any',
  operator: 'text',
  prefix_length: 'whole',
  zero_terms_query: 'text',
}

export const phraseOptions: OptionKinds = { analyzer: 'text', boost: 'number', slop: 'whole', zero_terms_query: 'text' }

export const multiMatchOptions: OptionKinds = { ...matchOptions, slop: 'whole', tie_breaker: 'number', type: 'text' }

export const queryStringOptions: OptionKinds = {
  allow_leading_wildcard: 'truth',
  allow_wildcard: 'truth',
  analyze_wildcard: 'truth',
  analyzer: 'text',
  auto_generate_synonyms_phrase_query: 'truth',
  boost: 'number',
  default_field: 'text',
  default_operator: 'text',
  enable_position_increments: 'truth',
  fuzziness: 'any',
  fuzzy_max_expansions: 'whole',
  fuzzy_prefix_length: 'whole',
  fuzzy_rewrite: 'text',
  fuzzy_transpositions: 'truth',
  lenient: 'truth',
  max_determinized_states: 'whole',
  minimum_should_match: 'any',
  phrase_slop: 'whole',
  quote_analyzer: 'text',
  quote_field_suffix: 'text',
  rewrite: 'text',
  time_zone: 'text',
}

export const kqlOptions: OptionKinds = { boost: 'number', time_zone: 'text' }

/** The options of a call by the names the DSL has for them. Throws `Problem` for an unknown one and a value of another kind. */
export function optionsOf(
  call: FunctionCall,
  value: Value | undefined,
  known: OptionKinds,
): Readonly<Record<string, string | number | boolean>> {
  const read = [...(value?.options ?? [])].map(([name, literal]) => {
    const kind = Object.hasOwn(known, name) ? known[name] : undefined
    if (kind === undefined)
      return refuse(
        value ?? call,
        `Invalid option [${name}] in [${call.text}], expected one of [${Object.keys(known).sort().join(', ')}]`,
      )
    const option = optionOf(literal, kind)
    if (option === undefined)
      return refuse(
        value ?? call,
        `Invalid option [${name}] in [${call.text}], cannot cast [${shown(literal)}] to [${casts[kind]}]`,
      )
    return [name, option] as const
  })
  return Object.fromEntries(read)
}

const casts: Readonly<Record<OptionKind, string>> = {
  text: 'keyword',
  any: 'keyword',
  whole: 'integer',
  number: 'float',
  truth: 'boolean',
}

function shown(literal: Literal): string {
  return typeof literal === 'object' ? JSON.stringify(literal) : String(literal)
}

function optionOf(literal: Literal, kind: OptionKind): string | number | boolean | undefined {
  if (typeof literal === 'object') return undefined
  const text = String(literal)
  switch (kind) {
    case 'truth':
      return /^(?:true|false)$/iu.test(text) ? text.toLowerCase() === 'true' : undefined
    case 'whole':
      return /^-?\d{1,9}$/u.test(text) ? Number(text) : undefined
    case 'number':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined
    case 'text':
      return text
    case 'any':
      return typeof literal === 'string' ? literal : Number(text)
  }
}
