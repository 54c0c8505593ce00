import { type AppError, isAppError, searchErrors } from '@logstack/errors'
import { operationCounters } from '../../documents/operation-counts.ts'
import { broadcastShards, shardsOf } from '../../indices/shards.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import { validationError } from '../../refusals/validation-error.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { indicesOptionParameters } from '../resources/authorized-indices.ts'
import { changeAsTask } from '../resources/background-task.ts'
import { indicesOf } from './index-admin.ts'

const openOnly = { expand: ['open', 'hidden'], forbidClosed: true } as const

/** Everything written is on disk when its request is answered; what is not shown yet is now. */
function showing(name: 'refresh' | 'flush', parameters: Route['parameters'] = {}): Route {
  return defineRoute({
    name: `indices.${name}`,
    methods: ['GET', 'POST'],
    paths: [`/_${name}`, `/{index}/_${name}`],
    privilege: { index: 'maintenance' },
    parameters: { ...indicesOptionParameters, ...parameters },
    async handle(request, services) {
      if (request.query['force'] === true && request.query['wait_if_ongoing'] === false)
        throw validationError('wait_if_ongoing must be true for a force flush')
      const found = indicesOf(request, services, `indices.${name}`, 'maintenance', openOnly)
      await services.documents.refreshed(found.map(({ table }) => table))
      operationCounters(services).kept(name, found)
      return { json: { _shards: broadcastShards(found) } }
    },
  })
}

const forceMerge = defineRoute({
  name: 'indices.forcemerge',
  methods: ['POST'],
  paths: ['/_forcemerge', '/{index}/_forcemerge'],
  privilege: { index: 'maintenance' },
  waitsForWork: true,
  parameters: {
    ...indicesOptionParameters,
    flush: 'boolean',
    max_num_segments: 'integer',
    only_expunge_deletes: 'boolean',
    wait_for_completion: 'boolean',
    primary_only: 'boolean',
  },
  async handle(request, services) {
    const { query } = request
    const segments = (query['max_num_segments'] as number | undefined) ?? -1
    if (segments >= 0 && query['only_expunge_deletes'] === true) {
      const both = 'only_expunge_deletes and max_num_segments at the same time'
      throw validationError(`cannot set ${both}, those two parameters are mutually exclusive`)
    }
    const find = (): IndexMeta[] => indicesOf(request, services, 'indices.forcemerge', 'maintenance', openOnly)
    const answer = (found: readonly IndexMeta[]): unknown => {
      // The engine merges by itself; what remains is what a merge promises: nothing is lost, and searches go on.
      operationCounters(services).kept('merge', found)
      return { _shards: query['primary_only'] === true ? primaries(found) : broadcastShards(found) }
    }
    if (query['wait_for_completion'] !== false) return { json: answer(find()) }
    const found = orRefusal(find)
    const named = isAppError(found) ? (request.params['index'] ?? '').split(',') : found.map(({ name }) => name)
    const { only_expunge_deletes: expunge = false, flush = true, primary_only: primaryOnly = false } = query
    const description = `Force-merge indices [${named.join(', ')}], maxSegments[${segments}], onlyExpungeDeletes[${String(expunge)}], flush[${String(flush)}], primaryOnly[${String(primaryOnly)}]`
    return changeAsTask(services, request, { action: 'indices:admin/forcemerge', description }, async () => {
      if (isAppError(found)) throw found
      return answer(found)
    })
  },
})

/**
 * What `find` finds, or why it finds nothing: a merge that nobody waits for has begun before that is known, and fails in its task. Who may not ask
 * for it is refused at once.
 */
function orRefusal(find: () => IndexMeta[]): readonly IndexMeta[] | AppError {
  try {
    return find()
  } catch (thrown) {
    if (!isAppError(thrown) || thrown.code === searchErrors.security_exception.code) throw thrown
    return thrown
  }
}

function primaries(found: readonly IndexMeta[]): ReturnType<typeof broadcastShards> {
  const total = found.reduce((sum, index) => sum + shardsOf(index).primaries, 0)
  return { total, successful: total, failed: 0 }
}

const clearCache = defineRoute({
  name: 'indices.clear_cache',
  methods: ['POST'],
  paths: ['/_cache/clear', '/{index}/_cache/clear'],
  privilege: { index: 'manage' },
  parameters: {
    ...indicesOptionParameters,
    fielddata: 'boolean',
    query: 'boolean',
    request: 'boolean',
    fields: 'list',
    file: 'boolean',
  },
  async handle(request, services) {
    const found = indicesOf(request, services, 'indices.clear_cache', 'manage', openOnly)
    return { json: { _shards: broadcastShards(found) } }
  },
})

/** Upkeep of indices. */
export const indexMaintenanceRoutes: readonly Route[] = [
  showing('refresh'),
  showing('flush', { force: 'boolean', wait_if_ongoing: 'boolean' }),
  forceMerge,
  clearCache,
]
