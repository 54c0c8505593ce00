import { resolveOptions } from '../../indices/resolve-options.ts'
import { type SearchShards, searchShards } from '../../indices/shards.ts'
import { isObject } from '../../json/json-object.ts'
import { withoutUnreadable } from '../../plan/leaves/partial-answers.ts'
import { prepareLeaves } from '../../plan/prepare-leaves.ts'
import { countMatches } from '../../plan/pruning/totals.ts'
import { shown } from '../../plan/shown.ts'
import { illegalArgument, parsingError } from '../../refusals/refuse.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type RouteRequest } from '../define-route.ts'
import { parseExactBody } from '../read-request.ts'
import { indicesOptionParameters, resolveAuthorized } from '../resources/authorized-indices.ts'
import { onShards, partialAnswers } from '../resources/shard-failure.ts'
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
    const { count, shards, failures, cut } = await countDocuments(request, services, 'count')
    return {
      json: {
        ...(cut ? { terminated_early: true } : {}),
        count,
        _shards: { ...shards, ...(failures.length === 0 ? {} : { failures }) },
      },
    }
  },
})

interface Counted {
  readonly count: number
  readonly shards: SearchShards
  /** Of the indices that could not read the query, as the answer shows them. */
  readonly failures: readonly unknown[]
  readonly cut: boolean
}

/** How many documents of a request's indices its query finds, of those the caller may read. */
export async function countDocuments(request: RouteRequest, services: Services, route: string): Promise<Counted> {
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
  const asked = { indices, scope: request.scope, query, nowMs: services.now(), minScore: minScoreOf(request) }
  const read = { signal: request.signal }
  return onShards(indices, services.catalogue.clusterUuid, async () => {
    await shown(services, indices)
    const release = services.documents.hold()
    try {
      const partial = partialAnswers(services, {})
      const how = { partial, request: () => asked, check: () => undefined }
      return await withoutUnreadable(services, indices, how, async ({ indices: readable, failures }) => {
        const leaves = await prepareLeaves(services, { ...asked, indices: readable }, read)
        const { value, relation } = await countMatches(services, leaves, most ?? 'all', read)
        const shards = searchShards(
          readable.map(({ index }) => index),
          failures.length,
        )
        return { count: value, shards, failures, cut: relation === 'gte' }
      })
    } finally {
      release()
    }
  })
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
