import { AppError, searchErrors } from '@logstack/errors'
import { isObject } from '../../json/json-object.ts'
import { jsonToken } from '../../json/json-token.ts'
import { didYouMean } from '../../refusals/did-you-mean.ts'

type Body = Readonly<Record<string, unknown>>

/** What a member of a body may be: `texts` is a list of texts or one of them alone. */
export type FieldKind = 'text' | 'object' | 'boolean' | 'texts' | 'any'

/** The error of a body that cannot be read. */
export function unreadable(reason: string, cause?: unknown): AppError {
  return new AppError(searchErrors.x_content_parse_exception, reason, cause === undefined ? {} : { cause })
}

const kinds: Readonly<Record<FieldKind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  object: isObject,
  boolean: (value) => typeof value === 'boolean' || value === 'true' || value === 'false',
  texts: (value) => typeof value === 'string' || Array.isArray(value),
  any: () => true,
}

/** The body of `what`, whose members are those of `fields` and no others. Throws `x_content_parse_exception` in Elasticsearch's words. */
export function readFields(what: string, given: unknown, fields: Readonly<Record<string, FieldKind>>): Body {
  if (given === undefined) throw new AppError(searchErrors.parse_exception, 'request body is required')
  if (!isObject(given)) throw unreadable(`[${what}] Expected START_OBJECT but was: ${jsonToken(given)}`)
  for (const [name, value] of Object.entries(given)) {
    const kind = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (kind === undefined)
      throw unreadable(`[${what}] unknown field [${name}]${didYouMean(name, Object.keys(fields))}`)
    if (!kinds[kind](value)) throw unreadable(`[${what}] ${name} doesn't support values of type: ${jsonToken(value)}`)
  }
  return given
}

/** The error of a member that a body must have. */
export function required(name: string): AppError {
  return new AppError(searchErrors.illegal_argument_exception, `Required [${name}]`)
}

/** Hands on what `read` gives; what it throws is told as the fault of a member. */
export function within<Value>(what: string, field: string, read: () => Value): Value {
  try {
    return read()
  } catch (thrown) {
    throw unreadable(`[${what}] failed to parse field [${field}]`, thrown)
  }
}
