import { parsingError } from '../dsl/shapes/refuse.ts'
import { searchContexts } from '../plan/search-contexts.ts'
import { indicesOptionParameters, resolveAuthorized, resolveOptions } from './authorized-indices.ts'
import { defineRoute, type Route } from './define-route.ts'
import { isObject } from './read-request.ts'
import { validationError } from './render-error.ts'

const open = defineRoute({
  name: 'open_point_in_time',
  methods: ['POST'],
  paths: ['/{index}/_pit'],
  privilege: 'authenticated',
  parameters: { ...indicesOptionParameters, keep_alive: 'time', preference: 'string', routing: 'string' },
  async handle(request, services) {
    const { scope, query } = request
    const keepAliveMs = query['keep_alive']
    if (typeof keepAliveMs !== 'number') throw validationError('[keep_alive] is not specified')
    const indices = resolveAuthorized(request, services, {
      route: 'open_point_in_time',
      privilege: 'read',
      expression: request.params['index'] ?? '',
      options: resolveOptions(query, { forbidClosed: true }),
    })
    const nowMs = services.now()
    const tables = new Set(indices.map(({ index }) => index.table))
    const snapshots = new Map([...tables].map((table) => [table, services.documents.visibility(table)]))
    const { id } = searchContexts(services).open({ indices, scope, snapshots, nowMs, keepAliveMs }, nowMs)
    const shards = { total: indices.length, successful: indices.length, skipped: 0, failed: 0 }
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
    if (!isObject(body) || typeof body['id'] !== 'string') throw parsingError('Required [id]')
    const closed = searchContexts(services).close([body['id']], request.scope)
    return { status: closed > 0 ? 200 : 404, json: { succeeded: closed > 0, num_freed: closed } }
  },
})

/** A moment of some indices to search again and again. */
export const pointInTimeRoutes: readonly Route[] = [open, close]
