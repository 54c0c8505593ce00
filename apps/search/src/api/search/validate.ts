import { isAppError } from '@logstack/errors'
import { resolveOptions } from '../../indices/resolve-options.ts'
import { planLeaves } from '../../plan/leaves/plan-leaves.ts'
import { defineRoute } from '../define-route.ts'
import { indicesOptionParameters, resolveAuthorized } from '../resources/authorized-indices.ts'
import { queryOfRequest } from './count.ts'
import { bodyWithLikes } from './more-like-this.ts'
import { queryParameters } from './search-parameters.ts'

/** `_validate/query`: whether a query can be run, and with `explain` why not. */
export const validateRoute = defineRoute({
  name: 'indices.validate_query',
  methods: ['GET', 'POST'],
  paths: ['/_validate/query', '/{index}/_validate/query'],
  privilege: 'authenticated',
  parameters: {
    ...indicesOptionParameters,
    ...queryParameters,
    explain: 'boolean',
    rewrite: 'boolean',
    all_shards: 'boolean',
  },
  async handle(request, services) {
    const indices = resolveAuthorized(request, services, {
      route: 'indices.validate_query',
      privilege: 'view_index_metadata',
      expression: request.params['index'] ?? '',
      options: resolveOptions(request.query),
    })
    const explain = request.query['explain'] === true
    try {
      const asker = { services, ...request, route: 'indices.validate_query' }
      const query = await bodyWithLikes(asker, queryOfRequest(request), () => indices)
      planLeaves(services, { indices, scope: request.scope, query, nowMs: services.now() })
    } catch (thrown) {
      if (!isAppError(thrown) || thrown.kind !== 'invalid') throw thrown
      // What failed on shards is told by what failed there.
      const { code, message } = isAppError(thrown.cause) && thrown.detail['failed_shards'] ? thrown.cause : thrown
      return { json: { valid: false, ...(explain ? { error: `${code}: ${message}` } : {}) } }
    }
    const explanations = indices.map(({ index }) => ({ index: index.name, valid: true }))
    return {
      json: { _shards: { total: 1, successful: 1, failed: 0 }, valid: true, ...(explain ? { explanations } : {}) },
    }
  },
})
