import { indicesOptionParameters } from './authorized-indices.ts'
import { defineRoute, type Route } from './define-route.ts'
import { indicesOf } from './index-admin.ts'
import { broadcastShards } from './shards.ts'

const openOnly = { expand: ['open', 'hidden'], forbidClosed: true } as const

/** Everything written is visible and on disk when its request is answered, so these only say that they did it. */
function alreadyDone(name: string, methods: Route['methods'], parameters: Route['parameters'] = {}): Route {
  return defineRoute({
    name: `indices.${name}`,
    methods,
    paths: [`/_${name}`, `/{index}/_${name}`],
    privilege: { index: 'maintenance' },
    parameters: { ...indicesOptionParameters, ...parameters },
    async handle(request, services) {
      const found = indicesOf(request, services, `indices.${name}`, 'maintenance', openOnly)
      return { json: { _shards: broadcastShards(found) } }
    },
  })
}

const clearCache = defineRoute({
  name: 'indices.clear_cache',
  methods: ['POST'],
  paths: ['/_cache/clear', '/{index}/_cache/clear'],
  privilege: { index: 'maintenance' },
  parameters: {
    ...indicesOptionParameters,
    fielddata: 'boolean',
    query: 'boolean',
    request: 'boolean',
    fields: 'list',
    file: 'boolean',
  },
  async handle(request, services) {
    const found = indicesOf(request, services, 'indices.clear_cache', 'maintenance', openOnly)
    return { json: { _shards: broadcastShards(found) } }
  },
})

/** Upkeep of indices. */
export const indexMaintenanceRoutes: readonly Route[] = [
  alreadyDone('refresh', ['GET', 'POST']),
  alreadyDone('flush', ['GET', 'POST'], { force: 'boolean', wait_if_ongoing: 'boolean' }),
  alreadyDone('forcemerge', ['POST'], {
    flush: 'boolean',
    max_num_segments: 'integer',
    only_expunge_deletes: 'boolean',
    wait_for_completion: 'boolean',
    primary_only: 'boolean',
  }),
  clearCache,
]
