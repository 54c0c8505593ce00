import { AppError, searchErrors } from '@logstack/errors'
import { isObject } from '../../json/json-object.ts'
import type { RouteRequest } from '../define-route.ts'

/** The body as an object, without keys that are not known. */
export function knownBody(request: RouteRequest, what: string, known: readonly string[]): Record<string, unknown> {
  const body = request.json() ?? {}
  if (!isObject(body)) throw new AppError(searchErrors.parsing_exception, `[${what}] expects an object`)
  const unknown = Object.keys(body).find((key) => !known.includes(key))
  if (unknown !== undefined) throw new AppError(searchErrors.illegal_argument_exception, `Unknown parameter ${unknown}`)
  return { ...body }
}
