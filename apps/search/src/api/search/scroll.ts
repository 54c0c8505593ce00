import { isObject } from '../../json/json-object.ts'
import { isContextId, searchContexts } from '../../plan/search-contexts.ts'
import { illegalArgument, parsingError } from '../../refusals/refuse.ts'
import { validationError } from '../../refusals/validation-error.ts'
import { scalarText } from '../../values/scalar-text.ts'
import { defineRoute, type Route, type RouteRequest } from '../define-route.ts'
import { readParameter } from '../parameters.ts'
import { scrollPage } from './run-search.ts'

const scroll = defineRoute({
  name: 'scroll',
  methods: ['GET', 'POST'],
  paths: ['/_search/scroll', '/_search/scroll/{scroll_id}'],
  privilege: 'authenticated',
  somewhere: { privilege: 'read', of: 'items' },
  parameters: { scroll: 'time', scroll_id: 'string', rest_total_hits_as_int: 'boolean' },
  async handle(request, services) {
    const body = strictBody(request, ['scroll', 'scroll_id'])
    const [id] = idsOf(request, body)
    if (id === undefined) throw validationError('scrollId is missing')
    const given = body['scroll']
    const keepAliveMs = given === undefined ? request.query['scroll'] : readParameter('scroll', String(given), 'time')
    const context = searchContexts(services).use(
      id,
      request.scope,
      services.now(),
      typeof keepAliveMs === 'number' ? keepAliveMs : undefined,
    )
    const { scope, signal, query } = request
    return {
      jsonBytes: await scrollPage(services, context, {
        scope,
        signal,
        typedKeys: false,
        totalAsInteger: query['rest_total_hits_as_int'] === true,
      }),
    }
  },
})

const clearScroll = defineRoute({
  name: 'clear_scroll',
  methods: ['DELETE'],
  paths: ['/_search/scroll', '/_search/scroll/{scroll_id}'],
  privilege: 'authenticated',
  parameters: {},
  async handle(request, services) {
    const ids = idsOf(request, strictBody(request, ['scroll_id']))
    if (ids.length === 0) throw validationError('no scroll ids specified')
    const closed = searchContexts(services).close(ids.includes('_all') ? 'all' : ids, request.scope)
    return { status: closed > 0 || ids.includes('_all') ? 200 : 404, json: { succeeded: true, num_freed: closed } }
  },
})

/** Going on with a search page by page, and ending it. */
export const scrollRoutes: readonly Route[] = [scroll, clearScroll]

function strictBody(request: RouteRequest, keys: readonly string[]): Readonly<Record<string, unknown>> {
  const body = request.json() ?? {}
  if (!isObject(body)) throw parsingError('Malformed content, must start with an object')
  for (const key of Object.keys(body))
    if (!keys.includes(key))
      throw parsingError(`Unknown parameter [${key}] in request body or parameter is of the wrong type[VALUE_STRING] `)
  return body
}

function idsOf(request: RouteRequest, body: Readonly<Record<string, unknown>>): string[] {
  const given = body['scroll_id'] ?? request.params['scroll_id'] ?? request.query['scroll_id']
  if (given === undefined) return []
  const ids = Array.isArray(given) ? given.map(scalarText) : scalarText(given).split(',')
  if (!ids.every((id) => id === '_all' || isContextId(id))) throw illegalArgument('Cannot parse scroll id')
  return ids
}
