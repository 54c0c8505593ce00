import { isAppError } from '@logstack/errors'
import { resolveOptions } from '../../indices/resolve-options.ts'
import { shownTime } from '../../plan/search-contexts.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { validationError } from '../../refusals/validation-error.ts'
import { actionOf } from '../../security/actions.ts'
import { forbidden } from '../../security/denied.ts'
import { type ReadIndex, rightsTo } from '../../security/rights-to.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type Route, type RouteAnswer, type RouteRequest } from '../define-route.ts'
import { parseExactBody } from '../read-request.ts'
import { renderError, statusOf } from '../render-error.ts'
import { resolveAuthorized } from '../resources/authorized-indices.ts'
import { type AsyncSearch, asyncSearches } from './async-searches.ts'
import { runSearch } from './run-search.ts'
import { bodyWithParameters, searchParameters } from './search-parameters.ts'

/** How long an asynchronous search is kept unless the request says so. */
export const keepAliveMsDefault = 5 * 86_400_000
const keepAliveMsMin = 60_000
const waitMsDefault = 1_000

const { scroll: _scroll, pre_filter_shard_size: _preFilter, ...submitParameters } = searchParameters

const submit = defineRoute({
  name: 'async_search.submit',
  methods: ['POST'],
  paths: ['/_async_search', '/{index}/_async_search'],
  privilege: 'authenticated',
  listsItself: true,
  parameters: {
    ...submitParameters,
    wait_for_completion_timeout: 'time',
    keep_on_completion: 'boolean',
    keep_alive: 'time',
  },
  async handle(request, services) {
    const { query, scope, signal } = request
    const searches = asyncSearches(services)
    const expression = request.params['index'] ?? ''
    const body = bodyWithParameters(parseExactBody(request), query)
    const begun = searches.begin({
      scope,
      description: `async_search{indices[${expression}]}`,
      headers: request.taskHeaders,
      keepAliveMs: keepAliveOf(query['keep_alive']) ?? keepAliveMsDefault,
      typedKeys: query['typed_keys'] === true,
      run: (ended) => runSearch(services, { scope, signal: ended, expression, query, body, route: 'search' }),
    })
    keepRights(begun, request, services)
    await searches.ended(begun, timeOf(query['wait_for_completion_timeout'], waitMsDefault), signal)
    // Nobody has the id of a search whose client is gone.
    if (signal.aborted) searches.remove(begun)
    if (begun.completedAtMs === undefined || query['keep_on_completion'] === true) return shown(begun)
    searches.remove(begun)
    if (begun.answer === undefined) throw begun.failure
    return shown(begun, false)
  },
})

const get = defineRoute({
  name: 'async_search.get',
  methods: ['GET'],
  paths: ['/_async_search/{id}'],
  privilege: 'authenticated',
  parameters: { wait_for_completion_timeout: 'time', keep_alive: 'time', typed_keys: 'boolean' },
  async handle(request, services) {
    const found = named(request, services)
    refuseChangedRights(found, request, services)
    const typed = request.query['typed_keys']
    // The answer was written when the search ended, with the names that were asked for then.
    if (typed !== undefined && typed !== found.typedKeys)
      throw illegalArgument('[typed_keys] must be what the search was submitted with')
    await asyncSearches(services).ended(found, timeOf(request.query['wait_for_completion_timeout'], 0), request.signal)
    return shown(found)
  },
})

const status = defineRoute({
  name: 'async_search.status',
  methods: ['GET'],
  paths: ['/_async_search/status/{id}'],
  privilege: 'authenticated',
  parameters: { keep_alive: 'time' },
  async handle(request, services) {
    const found = named(request, services)
    const { answer, failure } = found
    const { _shards } = answer === undefined ? noAnswer : (JSON.parse(answer.toString('utf8')) as typeof noAnswer)
    const ended = found.completedAtMs === undefined ? {} : { completion_status: answer ? 200 : statusOf(failure) }
    return { json: { id: found.id, ...headOf(found), _shards, ...ended } }
  },
})

const remove = defineRoute({
  name: 'async_search.delete',
  methods: ['DELETE'],
  paths: ['/_async_search/{id}'],
  privilege: 'authenticated',
  parameters: {},
  async handle(request, services) {
    asyncSearches(services).remove(named(request, services))
    return { json: { acknowledged: true } }
  },
})

/** Searches that go on in the background, and their answers until they are deleted or expire; Kibana asks so for all it shows. */
export const asyncSearchRoutes: readonly Route[] = [submit, get, status, remove]

interface HeldRights {
  readonly indices: readonly ReadIndex[]
  readonly rights: string
}

const heldRights = new WeakMap<AsyncSearch, HeldRights>()

/** Notes what the caller may read as its search begins: the answer was made for that. */
export function keepRights(
  begun: AsyncSearch,
  request: Pick<RouteRequest, 'scope' | 'query' | 'params'>,
  services: Services,
): void {
  const { scope, query, params } = request
  const asked = { route: 'search', privilege: 'read', expression: params['index'] ?? '' }
  try {
    const options = resolveOptions(query, { forbidClosed: true })
    const indices = resolveAuthorized(request, services, { ...asked, options }).map(({ index }) => ({
      index,
      fields: services.catalogue.fields(index),
    }))
    heldRights.set(begun, { indices, rights: rightsTo(scope, indices) })
  } catch (thrown) {
    // The search itself ends with the same fault, and shows nothing.
    if (!isAppError(thrown)) throw thrown
  }
}

/** A kept answer is shown as long as it is what the caller may see now. */
export function refuseChangedRights(found: AsyncSearch, { scope }: RouteRequest, services: Services): void {
  const held = heldRights.get(found)
  if (!held || rightsTo(scope, held.indices) === held.rights) return
  asyncSearches(services).remove(found)
  const names = held.indices.map(({ index }) => index.name)
  throw forbidden(scope, actionOf('search', 'index'), 'index', 'indices:data/read/search', names)
}

/** The asynchronous search that a request names, which an API began by that action; it is kept as long as the request says. */
export function named(request: RouteRequest, services: Services, action?: string): AsyncSearch {
  return asyncSearches(services).use(
    request.params['id'] ?? '',
    request.scope,
    keepAliveOf(request.query['keep_alive']),
    action,
  )
}

/** How long a search is to be kept, in milliseconds; undefined when it was not said. Throws for less than a minute. */
export function keepAliveOf(given: unknown): number | undefined {
  if (typeof given !== 'number') return undefined
  if (given < keepAliveMsMin)
    throw validationError(`[keep_alive] must be greater or equals than 1 minute, got: ${shownTime(given)}`)
  return given
}

const timeOf = (given: unknown, otherwise: number): number => (typeof given === 'number' ? given : otherwise)

/** Whether an answer goes without indices that failed: its first members say so. */
function lacksIndices(answer: Buffer): boolean {
  const [, failed] = /"failed":(\d+)/.exec(answer.toString('latin1', 0, headBytes)) ?? []
  return failed !== undefined && failed !== '0'
}

const headBytes = 512

function headOf(search: AsyncSearch) {
  const { answer, completedAtMs } = search
  return {
    is_partial: answer === undefined || lacksIndices(answer),
    is_running: completedAtMs === undefined,
    start_time_in_millis: search.startedAtMs,
    expiration_time_in_millis: search.expiresAtMs,
    ...(completedAtMs === undefined ? {} : { completion_time_in_millis: completedAtMs }),
  }
}

/** What stands for the answer while there is none. */
const noAnswer = {
  took: 0,
  timed_out: false,
  num_reduce_phases: 0,
  _shards: { total: 0, successful: 0, skipped: 0, failed: 0 },
  hits: { total: { value: 0, relation: 'gte' }, max_score: null, hits: [] },
}

function shown(search: AsyncSearch, withId = true): RouteAnswer {
  const head = JSON.stringify({ ...(withId ? { id: search.id } : {}), ...headOf(search) }).slice(0, -1)
  const { answer, failure, completedAtMs } = search
  const response = answer ?? Buffer.from(JSON.stringify(noAnswer))
  if (completedAtMs !== undefined && answer === undefined) {
    const { status, body } = renderError(failure)
    const jsonBytes = Buffer.from(
      `${head},"response":${JSON.stringify(noAnswer)},"error":${JSON.stringify(body['error'])}}`,
    )
    return { status, jsonBytes }
  }
  return { jsonBytes: Buffer.concat([Buffer.from(`${head},"response":`), response, Buffer.from('}')]) }
}
