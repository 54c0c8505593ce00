import { AppError, isAppError, searchErrors } from '@logstack/errors'
import type { Parameter } from '@logstack/esql'
import { isObject } from '../../json/json-object.ts'
import { itemPlaces, lineAndColumn, memberPlaces } from '../../json/json-places.ts'
import { jsonToken } from '../../json/json-token.ts'
import { didYouMean } from '../../refusals/did-you-mean.ts'
import { scalarText } from '../../values/scalar-text.ts'
import type { RouteRequest } from '../define-route.ts'
import { readParameter } from '../parameters.ts'
import { parseExactBody } from '../read-request.ts'
import { readEsqlParams } from './esql-params.ts'

/** What a request says of a query. */
export interface EsqlBody {
  readonly query: string
  readonly filter: unknown
  readonly params: readonly Parameter[]
  readonly columnar: boolean
  /** Of a query in the background: how long its request waits, how long it is kept, and whether also when it ended meanwhile. Milliseconds. */
  readonly waitMs: number | undefined
  readonly keepAliveMs: number | undefined
  readonly keeps: boolean
}

type Kind = 'text' | 'flag' | 'time' | 'object' | 'list'

/** What a member may be: as JSON, and as the errors of Elasticsearch call it otherwise. */
const members: Readonly<Record<string, Kind>> = {
  query: 'text',
  filter: 'object',
  params: 'list',
  columnar: 'flag',
  locale: 'text',
  profile: 'flag',
  include_ccs_metadata: 'flag',
  accept_pragma_risks: 'flag',
  pragma: 'object',
  tables: 'object',
}
const asyncMembers: Readonly<Record<string, Kind>> = {
  ...members,
  wait_for_completion_timeout: 'time',
  keep_on_completion: 'flag',
  keep_alive: 'time',
}

/** Reads the body of `_query` (`esql/query`) or `_query/async` (`esql/async_query`). Throws what Elasticsearch does, with its place in the body. */
export function readEsqlBody(request: RouteRequest, what: 'esql/query' | 'esql/async_query'): EsqlBody {
  if (request.body.length === 0)
    throw new AppError(searchErrors.parse_exception, 'request body or source parameter is required')
  const body = parseExactBody(request)
  const text = request.body.toString('utf8')
  const fault = (offset: number, reason: string, cause?: unknown) =>
    new AppError(searchErrors.x_content_parse_exception, `${lineAndColumn(text, offset)} [${what}] ${reason}`, {
      cause,
    })
  if (!isObject(body)) throw fault(0, `Expected START_OBJECT but was: ${jsonToken(body)}`)
  const places = memberPlaces(text)
  const known = what === 'esql/query' ? members : asyncMembers
  for (const [name, value] of Object.entries(body)) {
    const { name: from = 0, value: at = 0 } = places.get(name) ?? {}
    const kind = Object.hasOwn(known, name) ? known[name] : undefined
    if (kind === undefined) throw fault(from, `unknown field [${name}]${didYouMean(name, Object.keys(known))}`)
    if (!takes(kind, value)) throw fault(at, `${name} doesn't support values of type: ${jsonToken(value)}`)
  }
  const read = (name: string, kind: 'boolean' | 'time') => {
    const value = body[name]
    if (value === undefined) return undefined
    try {
      return readParameter(name, scalarText(value), kind)
    } catch (thrown) {
      if (!isAppError(thrown)) throw thrown
      throw fault(places.get(name)?.value ?? 0, `failed to parse field [${name}]`, thrown)
    }
  }
  for (const [name, kind] of Object.entries(known)) if (kind === 'flag') read(name, 'boolean')
  const { query, filter, params } = body
  if (typeof query !== 'string' || query.trim() === '')
    throw new AppError(searchErrors.action_request_validation_exception, 'Validation Failed: 1: [query] is required;')
  return {
    query,
    filter,
    params: readEsqlParams(params, {
      text,
      places: itemPlaces(text, places.get('params')?.value ?? text.length),
      fault: (cause) => fault(places.get('params')?.last ?? 0, 'failed to parse field [params]', cause),
    }),
    columnar: read('columnar', 'boolean') === true,
    waitMs: read('wait_for_completion_timeout', 'time') as number | undefined,
    keepAliveMs: read('keep_alive', 'time') as number | undefined,
    keeps: read('keep_on_completion', 'boolean') === true,
  }
}

function takes(kind: Kind, value: unknown): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string'
    case 'flag':
      return typeof value === 'boolean' || typeof value === 'string'
    case 'time':
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
    case 'object':
      return isObject(value)
    default:
      return Array.isArray(value)
  }
}
