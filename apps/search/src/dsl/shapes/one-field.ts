import { z } from 'zod'
import { illegalArgument, parsingError, readStrictly } from '../../refusals/refuse.ts'

/** A clause on one field: `{ "field": { …parameters } }` or the short form `{ "field": value }`. */
export interface OneField<T> {
  readonly field: string
  readonly parameters: T
}

/** Says for the docs which parameters a schema takes that reads the body itself. */
export function describedBy<T>(schema: z.ZodType<T>, parameters: z.ZodType): z.ZodType<T> {
  return schema.meta({ parameters })
}

const namesNothing = new Set(['term', 'range', 'prefix', 'wildcard', 'regexp', 'fuzzy'])

function noName(name: string) {
  return namesNothing.has(name)
    ? illegalArgument('field name is null or empty')
    : parsingError(`[${name}] query malformed, no field name`)
}

/** Refuses a clause without what it looks for. */
function checkGiven(name: string, given: unknown, shorthand: string | undefined): void {
  if (shorthand === 'query' && isWithoutText(given)) throw parsingError('No text specified for text query')
  if (shorthand === 'value' && isWithoutValue(given))
    throw illegalArgument(
      given === null ? 'field name is null or empty' : `${name === 'fuzzy' ? 'query ' : ''}value cannot be null`,
    )
}

function isWithoutText(given: unknown): boolean {
  return given === null || (typeof given === 'object' && !Array.isArray(given) && Object.keys(given).length === 0)
}

function isWithoutValue(given: unknown): boolean {
  if (given === null || typeof given !== 'object' || Array.isArray(given)) return given === null
  return Object.keys(given).length === 0 || ('value' in given && given.value === null)
}

/** Reads the one-field shape of `name`; `shorthand` is the parameter that a bare value stands for; undefined: none may be given. */
export function oneField<T>(
  name: string,
  parameters: z.ZodType<T>,
  shorthand: string | undefined,
): z.ZodType<OneField<T>> {
  const read = z.unknown().transform((body) => {
    if (body === null || typeof body !== 'object' || Array.isArray(body))
      throw parsingError(`[${name}] query malformed, no start_object after query name`)
    const outer: Record<string, unknown> = {}
    const fields: [string, unknown][] = []
    for (const [key, value] of Object.entries(body)) {
      if ((key === 'boost' || key === '_name') && (typeof value !== 'object' || value === null)) outer[key] = value
      else fields.push([key, value])
    }
    const [first, second] = fields
    if (!first) throw name === 'match' ? parsingError('No text specified for text query') : noName(name)
    if (second)
      throw parsingError(`[${name}] query doesn't support multiple fields, found [${first[0]}] and [${second[0]}]`)
    const [field, given] = first
    checkGiven(name, given, shorthand)
    if (Array.isArray(given)) throw parsingError(`[${name}] query does not support array of values`)
    const bare = given === null || typeof given !== 'object'
    if (bare && shorthand === undefined) throw parsingError(`[${name}] query does not support [${field}]`)
    const inner = bare ? { [shorthand ?? '']: given } : given
    return { field, parameters: readStrictly(parameters, { ...outer, ...inner }, name, 'query') }
  })
  return describedBy(read, parameters)
}
