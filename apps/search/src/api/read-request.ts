import { AppError, messageOf, searchErrors } from '@logstack/errors'
import { convertible } from '../json/convertible.ts'
import { jsonFault, jsonFaultError, refuseDuplicates } from '../json/json-fault.ts'
import { isObject } from '../json/json-object.ts'
import { placeOf } from '../json/json-places.ts'
import { parseExactJson, refuseDeep } from '../json/source-json.ts'
import type { RouteRequest } from './define-route.ts'
import { bodyFormat } from './encoding/media-types.ts'
import { parseYaml } from './encoding/parse-yaml.ts'

/** Parses a body as JSON, or YAML by its content type; undefined when there is none. Throws `parsing_exception` with line and column for YAML, `x_content_parse_exception` or `x_content_e_o_f_exception` for what is no JSON, or a name that stands twice in an object. */
export function parseBody(
  body: Buffer,
  contentType: string,
  parseJson: (text: string) => unknown = parseShallowJson,
): unknown {
  if (body.length === 0) return undefined
  const text = body.toString('utf8')
  const yaml = bodyFormat(contentType) === 'yaml'
  try {
    const parsed = yaml ? parseYaml(text) : parseJson(text)
    if (!yaml) refuseDuplicates(text)
    return convertible(parsed, text)
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown
    if (!yaml && thrown instanceof SyntaxError && jsonFault(text)) throw jsonFaultError(text)
    const detail = placeOf(text, Number(/position (\d+)/.exec(messageOf(thrown))?.[1] ?? text.length))
    throw new AppError(searchErrors.parsing_exception, `Failed to parse request body: ${messageOf(thrown)}`, { detail })
  }
}

function parseShallowJson(text: string): unknown {
  refuseDeep(text)
  return JSON.parse(text)
}

/** As `parseBody`, with integers that no number can hold as bigints: for queries on 64-bit fields. */
export function parseExactBody({ body, contentType }: Pick<RouteRequest, 'body' | 'contentType'>): unknown {
  return parseBody(body, contentType, parseExactJson)
}

/** A body that must be an object; `what` names the route in the error. */
export function objectBody(body: unknown, what: string): Readonly<Record<string, unknown>> {
  if (body === undefined) throw new AppError(searchErrors.parse_exception, 'request body is required')
  if (!isObject(body)) throw new AppError(searchErrors.parsing_exception, `[${what}] expects an object`)
  return body
}
