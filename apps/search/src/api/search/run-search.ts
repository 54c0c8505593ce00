import { readSearchRequest, type SearchRequest } from '../../dsl/search-request.ts'
import type { ResolvedIndex } from '../../indices/resolve.ts'
import { resolveOptions } from '../../indices/resolve-options.ts'
import { isObject } from '../../json/json-object.ts'
import type { Scope } from '../../model/scope.ts'
import type { PartialAnswers } from '../../plan/leaves/partial-answers.ts'
import { search } from '../../plan/search.ts'
import { type SearchContext, searchContexts } from '../../plan/search-contexts.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { validationError } from '../../refusals/validation-error.ts'
import type { Services } from '../../services.ts'
import { readParameter } from '../parameters.ts'
import { resolveAuthorized } from '../resources/authorized-indices.ts'
import { onShards, partialAnswers } from '../resources/shard-failure.ts'
import { countedSearch } from './count-search.ts'
import { indicesLeft } from './gone-indices.ts'
import { bodyWithLikes } from './more-like-this.ts'
import { bodyWithTerms } from './terms-lookup.ts'

/** One search of `_search` or `_msearch`. */
export interface SearchCall {
  readonly scope: Scope
  readonly signal: AbortSignal
  /** Index expression; empty is all. */
  readonly expression: string
  /** The URL's parameters, or the header of a `_msearch` item. */
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly route: string
}

/** Runs a search and answers its JSON. */
export async function runSearch(services: Services, call: SearchCall): Promise<Buffer> {
  const { scope, signal, query } = call
  const looked = await bodyWithTerms(services, scope, call.route, call.body)
  const body = await bodyWithLikes({ services, ...call }, looked, () => searchedIndices(services, call))
  const request = { ...readSearchRequest(body), namedScores: query['include_named_queries_score'] === true }
  checkPreference(query['preference'])
  const shardsMin = query['pre_filter_shard_size']
  const reduced = query['batched_reduce_size']
  if (typeof reduced === 'number' && reduced < 2) throw illegalArgument('batchedReduceSize must be >= 2')
  if (typeof shardsMin === 'number' && shardsMin < 1) throw illegalArgument('preFilterShardSize must be >= 1')
  const scrollMs = typeof query['scroll'] === 'number' ? query['scroll'] : undefined
  const totalAsInteger = query['rest_total_hits_as_int'] === true
  if (totalAsInteger) checkTotalAsInteger(call.body)
  const counted: SearchRequest =
    totalAsInteger && request.trackTotal !== 'none' ? { ...request, trackTotal: 'all' } : request
  const shared = {
    scope,
    signal,
    typedKeys: query['typed_keys'] === true,
    totalAsInteger,
    ignoreUnavailable: query['ignore_unavailable'] === true,
  }
  if (counted.pit) return searchPointInTime(services, call, counted, shared)
  const indices = namedIndices(services, call)
  const nowMs = services.now()
  if (counted.slice && scrollMs === undefined)
    throw validationError('[slice] can only be used with [scroll] or [point-in-time] requests')
  if (scrollMs === undefined) {
    const partial = partialAnswers(services, query)
    const answer = await onShards(indices, services.catalogue.clusterUuid, () =>
      countedSearch(services, indices, call.body, () =>
        search(services, {
          ...shared,
          request: counted,
          indices,
          nowMs,
          partial,
          cached: query['request_cache'] !== false,
        }),
      ),
    )
    return answer.json
  }
  return startScroll(services, counted, { ...shared, indices, nowMs }, scrollMs, call)
}

const preferences = /^_(?:local|only_local|shards:.*|prefer_nodes:.*|only_nodes:.*)$/u

/** Which copy is asked changes nothing where there is one; names of the API's own must be right. */
function checkPreference(given: unknown): void {
  if (typeof given !== 'string' || !given.startsWith('_') || preferences.test(given)) return
  throw illegalArgument(`no Preference for [${given}]`)
}

function namedIndices(services: Services, { scope, expression, query }: SearchCall): readonly ResolvedIndex[] {
  return resolveAuthorized({ scope }, services, {
    route: 'search',
    privilege: 'read',
    expression,
    options: resolveOptions(query, { forbidClosed: true }),
  })
}

/** The indices that are searched: those named, or those of the point in time that the body names. */
function searchedIndices(services: Services, call: SearchCall): readonly ResolvedIndex[] {
  const { pit } = isObject(call.body) ? call.body : {}
  if (!isObject(pit)) return namedIndices(services, call)
  return searchContexts(services).use(String(pit['id']), call.scope, services.now(), undefined).indices
}

/** Refuses a total as a plain number where a body asks for one that is not exact. */
export function checkTotalAsInteger(body: unknown): void {
  if (body === null || typeof body !== 'object') return
  const { track_total_hits: track }: { track_total_hits?: unknown } = body
  const asked = typeof track === 'string' && /^\d+$/u.test(track) ? Number(track) : track
  if (typeof asked === 'number' && asked >= 0)
    throw illegalArgument(
      `[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got ${asked}`,
    )
}

/** Whether a body asks for a total that is not counted to its end. */
function isTotalCut(body: unknown): boolean {
  const given = isObject(body) ? body['track_total_hits'] : undefined
  return given !== undefined && given !== true && given !== 'true'
}

type Shared = Pick<Parameters<typeof search>[1], 'scope' | 'signal' | 'typedKeys' | 'totalAsInteger'>
type Resolved = Shared & Pick<Parameters<typeof search>[1], 'indices' | 'nowMs'>

async function startScroll(
  services: Services,
  request: SearchRequest,
  resolved: Resolved,
  keepAliveMs: number,
  { query, body }: SearchCall,
): Promise<Buffer> {
  const problems = [
    ...(isTotalCut(body) ? ['disabling [track_total_hits] is not allowed in a scroll context'] : []),
    ...(request.from > 0 ? ['using [from] is not allowed in a scroll context'] : []),
    ...(request.size === 0 ? ['[size] cannot be [0] in a scroll context'] : []),
    ...(request.collapse ? ['cannot use `collapse` in a scroll context'] : []),
    ...(query['request_cache'] === true ? ['[request_cache] cannot be used in a scroll context'] : []),
  ]
  if (problems.length > 0) throw validationError(...problems)
  const { indices, scope, nowMs } = resolved
  const all: SearchRequest = { ...request, trackTotal: 'all' }
  const context = searchContexts(services).open(
    { indices, scope, snapshots: new Map(), nowMs, request: all, keepAliveMs },
    nowMs,
  )
  return scrollPage(services, context, { ...resolved, partial: partialAnswers(services, query) })
}

/** The next page of a scroll; aggregations are in the first only, and `partial` of it lets the scroll go on without indices that cannot read it. */
export async function scrollPage(
  services: Services,
  context: SearchContext,
  shared: Shared & { readonly partial?: PartialAnswers | undefined },
): Promise<Buffer> {
  const { request, cursor } = context
  if (!request) throw illegalArgument(`[${context.id}] is no scroll`)
  const page = cursor ? { ...request, aggregations: [], searchAfter: undefined } : request
  const plan = {
    ...shared,
    request: page,
    indices: context.indices,
    nowMs: context.nowMs,
    snapshots: context.snapshots,
    cursor,
    ahead: context.ahead,
    total: context.total,
    best: context.best,
    head: { _scroll_id: context.id },
  }
  const answer = await onShards(context.indices, services.catalogue.clusterUuid, async () => {
    indicesLeft(services, context.indices, undefined)
    return countedSearch(services, context.indices, undefined, () => search(services, plan))
  })
  context.indices = answer.indices
  context.cursor = answer.hits.at(-1)?.values ?? cursor
  context.total = answer.total
  context.best = answer.best
  return answer.json
}

async function searchPointInTime(
  services: Services,
  call: SearchCall,
  request: SearchRequest,
  shared: Shared,
): Promise<Buffer> {
  if (!request.pit) throw new Error('BUG: no point in time')
  if (call.expression !== '')
    throw validationError('[indices] cannot be used with point in time. Do not specify any index with point in time.')
  const { id, keepAlive } = request.pit
  const keepAliveMs = keepAlive === undefined ? undefined : Number(readParameter('keep_alive', keepAlive, 'time'))
  const context = searchContexts(services).use(id, call.scope, services.now(), keepAliveMs)
  const { snapshots, nowMs } = context
  const cached = call.query['request_cache'] !== false
  const partial = partialAnswers(services, call.query)
  const answer = await onShards(context.indices, services.catalogue.clusterUuid, async () => {
    const left = indicesLeft(services, context.indices, partial)
    const plan = { ...shared, ...left, request, nowMs, snapshots, cached, partial, head: { pit_id: id } }
    return countedSearch(services, left.indices, call.body, () => search(services, plan))
  })
  return answer.json
}
