import { resolveOptions } from '../../indices/resolve-options.ts'
import { searchShards } from '../../indices/shards.ts'
import { isObject } from '../../json/json-object.ts'
import { isContextId, searchContexts } from '../../plan/search-contexts.ts'
import { shown } from '../../plan/shown.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { validationError } from '../../refusals/validation-error.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type Route, type RouteRequest } from '../define-route.ts'
import { indicesOptionParameters, resolveAuthorized } from '../resources/authorized-indices.ts'

const openParameters = {
  ...indicesOptionParameters,
  keep_alive: 'time',
  preference: 'string',
  routing: 'string',
} as const

/** Opens a point in time over what the caller may read of `params.index`; `query` has the indices options and `keep_alive` in milliseconds. */
export async function openContext(
  request: Pick<RouteRequest, 'scope' | 'query' | 'params'>,
  services: Services,
  route: string,
) {
  const { scope, query } = request
  const keepAliveMs = query['keep_alive']
  if (typeof keepAliveMs !== 'number') throw validationError('[keep_alive] is not specified')
  const indices = resolveAuthorized(request, services, {
    route,
    privilege: 'read',
    expression: request.params['index'] ?? '',
    options: resolveOptions(query, { forbidClosed: true }),
  })
  await shown(services, indices)
  const nowMs = services.now()
  const tables = new Set(indices.map(({ index }) => index.table))
  const snapshots = new Map([...tables].map((table) => [table, services.documents.visibility(table)]))
  const { id } = searchContexts(services).open({ indices, scope, snapshots, nowMs, keepAliveMs }, nowMs)
  const shards = searchShards(indices.map(({ index }) => index))
  return { id, nowMs, shards }
}

const open = defineRoute({
  name: 'open_point_in_time',
  methods: ['POST'],
  paths: ['/{index}/_pit'],
  privilege: 'authenticated',
  parameters: { ...openParameters, allow_partial_search_results: 'boolean' },
  async handle(request, services) {
    const { id, shards } = await openContext(request, services, 'open_point_in_time')
    return { json: { id, _shards: shards } }
  },
})

const close = defineRoute({
  name: 'close_point_in_time',
  methods: ['DELETE'],
  paths: ['/_pit'],
  privilege: 'authenticated',
  parameters: {},
  async handle(request, services) {
    const body = request.json()
    if (!isObject(body) || typeof body['id'] !== 'string') throw illegalArgument('search context id is is not provided')
    if (!isContextId(body['id'])) throw illegalArgument('Cannot parse the id of a point in time')
    const closed = searchContexts(services).close([body['id']], request.scope)
    return { status: closed > 0 ? 200 : 404, json: { succeeded: closed > 0, num_freed: closed } }
  },
})

const create = defineRoute({
  name: 'create_pit',
  methods: ['POST'],
  paths: ['/{index}/_search/point_in_time'],
  privilege: 'authenticated',
  parameters: { ...openParameters, allow_partial_pit_creation: 'boolean' },
  async handle(request, services) {
    const { id, nowMs, shards } = await openContext(request, services, 'create_pit')
    return { json: { pit_id: id, _shards: shards, creation_time: nowMs } }
  },
})

function deleted(request: RouteRequest, services: Services, ids: readonly string[]) {
  const contexts = searchContexts(services)
  const pits = ids.map((id) => ({ successful: contexts.close([id], request.scope) > 0, pit_id: id }))
  return { json: { pits } }
}

const remove = defineRoute({
  name: 'delete_pit',
  methods: ['DELETE'],
  paths: ['/_search/point_in_time'],
  privilege: 'authenticated',
  parameters: {},
  async handle(request, services) {
    const body = request.json()
    const given = isObject(body) ? [body['pit_id']].flat() : []
    const ids = given.filter((id) => typeof id === 'string')
    if (ids.length === 0 || ids.length < given.length) throw validationError('no pit ids specified')
    return deleted(request, services, ids)
  },
})

const all = (name: 'get_all_pits' | 'delete_all_pits'): Route =>
  defineRoute({
    name,
    methods: [name === 'get_all_pits' ? 'GET' : 'DELETE'],
    paths: ['/_search/point_in_time/_all'],
    privilege: 'authenticated',
    parameters: {},
    async handle(request, services) {
      const open = searchContexts(services).pointsInTime(request.scope, services.now())
      if (name === 'delete_all_pits')
        return deleted(
          request,
          services,
          open.map(({ id }) => id),
        )
      const pits = open.map(({ id, nowMs, keepAliveMs }) => ({
        pit_id: id,
        creation_time: nowMs,
        keep_alive: keepAliveMs,
      }))
      return { json: { pits } }
    },
  })

/** A moment of some indices to search again and again: Elasticsearch's routes, and those that OpenSearch's clients know. */
export const pointInTimeRoutes: readonly Route[] = [
  open,
  close,
  create,
  remove,
  all('get_all_pits'),
  all('delete_all_pits'),
]
