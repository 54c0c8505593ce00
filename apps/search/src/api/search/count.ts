import { resolveOptions } from '../../indices/resolve-options.ts'
import { type SearchShards, searchShards } from '../../indices/shards.ts'
import { isObject } from '../../json/json-object.ts'
import { prepareLeaves } from '../../plan/prepare-leaves.ts'
import { countMatches } from '../../plan/pruning/totals.ts'
import { shown } from '../../plan/shown.ts'
import { illegalArgument, parsingError } from '../../refusals/refuse.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type RouteRequest } from '../define-route.ts'
import { parseExactBody } from '../read-request.ts'
import { indicesOptionParameters, resolveAuthorized } from '../resources/authorized-indices.ts'
import { onShards } from '../resources/shard-failure.ts'
import { bodyWithLikes } from './more-like-this.ts'
import { queryOfParameters, queryParameters } from './search-parameters.ts'
import { bodyWithTerms } from './terms-lookup.ts'

/** `_count`: how many documents match, exactly. */
export const countRoute = defineRoute({
  name: 'count',
  methods: ['GET', 'POST'],
  paths: ['/_count', '/{index}/_count'],
  privilege: 'authenticated',
  parameters: {
    ...indicesOptionParameters,
    ...queryParameters,
    min_score: 'string',
    preference: 'string',
    routing: 'list',
    terminate_after: 'integer',
  },
  async handle(request, services) {
    const { count, shards, cut } = await countDocuments(request, services, 'count')
    return {
      json: {
        ...(cut ? { terminated_early: true } : {}),
        count,
        _shards: shards,
      },
    }
  },
})

/** How many documents of a request's indices its query finds, of those the caller may read. */
export async function countDocuments(
  request: RouteRequest,
  services: Services,
  route: string,
): Promise<{ readonly count: number; readonly shards: SearchShards; readonly cut: boolean }> {
  const looked = await bodyWithTerms(services, request.scope, route, queryOfRequest(request))
  const indices = resolveAuthorized(request, services, {
    route,
    privilege: 'read',
    expression: request.params['index'] ?? '',
    options: resolveOptions(request.query, { forbidClosed: true }),
  })
  const query = await bodyWithLikes({ services, ...request, route }, looked, () => indices)
  const given = Number(request.query['terminate_after'] ?? 0)
  const most = given > 0 ? given : undefined
  const { value, relation } = await onShards(indices, services.catalogue.clusterUuid, async () => {
    await shown(services, indices)
    const release = services.documents.hold()
    try {
      const read = { signal: request.signal }
      const asked = { indices, scope: request.scope, query, nowMs: services.now(), minScore: minScoreOf(request) }
      return await countMatches(services, await prepareLeaves(services, asked, read), most ?? 'all', read)
    } finally {
      release()
    }
  })
  return { count: value, shards: searchShards(indices.map(({ index }) => index)), cut: relation === 'gte' }
}

function minScoreOf({ query }: RouteRequest): number | undefined {
  const given = query['min_score']
  if (given === undefined) return undefined
  const least = Number(given)
  if (String(given).trim() === '' || Number.isNaN(least))
    throw illegalArgument(`Failed to parse float parameter [min_score] with value [${String(given)}]`)
  return least
}

/** The query of a request that takes nothing else: from the URL's `q`, else from the body. */
export function queryOfRequest(request: RouteRequest): unknown {
  const written = queryOfParameters(request.query)
  if (written !== undefined) return written
  const body = parseExactBody(request)
  if (body === undefined) return undefined
  if (!isObject(body)) throw parsingError('Expected [START_OBJECT] but found something else')
  for (const key of Object.keys(body)) if (key !== 'query') throw parsingError(`request does not support [${key}]`)
  return body['query']
}
