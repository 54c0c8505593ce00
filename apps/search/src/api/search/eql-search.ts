import { parseQuery } from '@logstack/eql'
import { AppError, searchErrors } from '@logstack/errors'
import { clusterSetting } from '../../cluster-settings/read.ts'
import { emptyAnswer } from '../../eql/answer.ts'
import { compileQuery } from '../../eql/compile-query.ts'
import type { Ask } from '../../eql/eql-run.ts'
import { type EqlRequest, readEqlRequest } from '../../eql/read-request.ts'
import { type EqlFound, runQuery } from '../../eql/run-query.ts'
import { resolveOptions } from '../../indices/resolve-options.ts'
import { searchContexts } from '../../plan/search-contexts.ts'
import type { Services } from '../../services.ts'
import { readTime } from '../../values/unit-values.ts'
import { defineRoute, type Route, type RouteAnswer, type RouteRequest } from '../define-route.ts'
import { parseExactBody } from '../read-request.ts'
import { statusOf } from '../render-error.ts'
import { indicesOptionParameters, resolveAuthorized } from '../resources/authorized-indices.ts'
import { keepAliveMsDefault, keepAliveOf, keepRights, named, refuseChangedRights } from './async-search.ts'
import { type AsyncSearch, asyncSearches } from './async-searches.ts'
import { openContext } from './point-in-time.ts'
import { runSearch } from './run-search.ts'

const action = 'indices:data/read/eql'
/** Between two pages of a sequence the moment it is read at is held so long, or as `search.max_keep_alive` has it. */
const pageMsMax = 300_000
/** As long as a timer of Node can wait: who names no time waits for the end. */
const waitMsMax = 2 ** 31 - 1

type Query = Readonly<Record<string, unknown>>
type EqlCall = Pick<RouteRequest, 'scope' | 'query' | 'params' | 'signal'>

const submit = defineRoute({
  name: 'eql.search',
  methods: ['GET', 'POST'],
  paths: ['/{index}/_eql/search'],
  privilege: 'authenticated',
  parameters: {
    ...indicesOptionParameters,
    ccs_minimize_roundtrips: 'boolean',
    allow_partial_search_results: 'boolean',
    allow_partial_sequence_results: 'boolean',
    wait_for_completion_timeout: 'time',
    keep_on_completion: 'boolean',
    keep_alive: 'time',
  },
  async handle(request, services) {
    const { query, scope, signal } = request
    const given = readEqlRequest(parseExactBody(request))
    const partialSequences = query['allow_partial_sequence_results'] as boolean | undefined
    const asked = { ...given, allowsPartialSequences: partialSequences ?? given.allowsPartialSequences }
    const call = { scope, params: request.params, query: optionsOf(query, asked) }
    const keeps = (query['keep_on_completion'] as boolean | undefined) ?? asked.keeps ?? false
    const waitMs = (query['wait_for_completion_timeout'] as number | undefined) ?? asked.waitMs
    const keepAliveMs = keepAliveOf(query['keep_alive'] ?? asked.keepAliveMs) ?? keepAliveMsDefault
    if (waitMs === undefined && !keeps) return { jsonBytes: await answerOf(services, { ...call, signal }, asked) }
    const searches = asyncSearches(services)
    const begun = searches.begin({
      scope,
      action,
      description: `indices[${request.params['index'] ?? ''}], EQL[${asked.query.slice(0, describedCharsMax)}]`,
      headers: request.taskHeaders,
      keepAliveMs,
      typedKeys: false,
      run: (ended) => answerOf(services, { ...call, signal: ended }, asked),
    })
    keepRights(begun, call, services)
    await searches.ended(begun, waitOf(waitMs), signal)
    // Nobody has the id of a search whose client is gone.
    if (signal.aborted) searches.remove(begun)
    if (begun.completedAtMs === undefined || (keeps && begun.answer)) return shown(begun)
    searches.remove(begun)
    if (begun.answer === undefined) throw begun.failure
    return { jsonBytes: begun.answer }
  },
})

/** Characters of a query that the list of tasks shows. */
const describedCharsMax = 1000

const get = defineRoute({
  name: 'eql.get',
  methods: ['GET'],
  paths: ['/_eql/search/{id}'],
  privilege: 'authenticated',
  parameters: { wait_for_completion_timeout: 'time', keep_alive: 'time' },
  async handle(request, services) {
    const found = named(request, services, action)
    refuseChangedRights(found, request, services)
    const waitMs = request.query['wait_for_completion_timeout'] as number | undefined
    await asyncSearches(services).ended(found, waitOf(waitMs), request.signal)
    if (found.completedAtMs !== undefined && found.answer === undefined) throw found.failure
    return shown(found)
  },
})

const status = defineRoute({
  name: 'eql.get_status',
  methods: ['GET'],
  paths: ['/_eql/search/status/{id}'],
  privilege: 'authenticated',
  parameters: { keep_alive: 'time' },
  async handle(request, services) {
    const { id, answer, failure, completedAtMs, startedAtMs, expiresAtMs } = named(request, services, action)
    return {
      json: {
        id,
        is_running: completedAtMs === undefined,
        is_partial: answer === undefined,
        start_time_in_millis: startedAtMs,
        expiration_time_in_millis: expiresAtMs,
        ...(completedAtMs === undefined ? {} : { completion_status: answer ? 200 : statusOf(failure) }),
      },
    }
  },
})

const remove = defineRoute({
  name: 'eql.delete',
  methods: ['DELETE'],
  paths: ['/_eql/search/{id}'],
  privilege: 'authenticated',
  parameters: {},
  async handle(request, services) {
    asyncSearches(services).remove(named(request, services, action))
    return { json: { acknowledged: true } }
  },
})

/** EQL: events, sequences and samples by conditions, at once or in the background. */
export const eqlSearchRoutes: readonly Route[] = [submit, get, status, remove]

/** How long a request waits; `-1` is until the end, as nothing is. */
function waitOf(waitMs: number | undefined): number {
  return waitMs === undefined || waitMs < 0 ? waitMsMax : Math.min(waitMs, waitMsMax)
}

/**
 * The options of the searches that a query is made of. Unlike those of `_search`, indices that are not there are left out unless the request says no,
 * and indices that fail are not, unless it says so.
 */
function optionsOf(query: Query, asked: EqlRequest): Query {
  return {
    ignore_unavailable: query['ignore_unavailable'] ?? true,
    ...(query['allow_no_indices'] === undefined ? {} : { allow_no_indices: query['allow_no_indices'] }),
    ...(query['expand_wildcards'] === undefined ? {} : { expand_wildcards: query['expand_wildcards'] }),
    allow_partial_search_results: query['allow_partial_search_results'] ?? asked.allowsPartial ?? false,
    // Whether the client itself asked to do without what is not there.
    lenient: query['ignore_unavailable'] === true,
  }
}

async function answerOf(services: Services, call: EqlCall, request: EqlRequest): Promise<Buffer> {
  const startedAtMs = performance.now()
  const { hits, failures } = await foundOf(services, call, request)
  const took = Math.round(performance.now() - startedAtMs)
  const isPartial = failures.length > 0
  const left = isPartial ? `,"shard_failures":[${failures.join(',')}]` : ''
  return Buffer.from(
    `{"is_partial":${isPartial},"is_running":false,"took":${took},"timed_out":false,"hits":${hits}${left}}`,
  )
}

async function foundOf(services: Services, call: EqlCall, request: EqlRequest): Promise<EqlFound> {
  const { scope, query, signal } = call
  const expression = call.params['index'] ?? ''
  const parsed = parseQuery(request.query)
  const options = resolveOptions(query, { forbidClosed: true })
  const found = resolveAuthorized(call, services, { route: 'eql.search', privilege: 'read', expression, options })
  if (found.length === 0) {
    if (query['lenient'] !== true) throw missing(expression)
    return { hits: emptyAnswer(parsed.kind === 'event' ? 'events' : 'sequences'), failures: [] }
  }
  const indices = found.map(({ index }) => ({ index, fields: services.catalogue.fields(index) }))
  const plan = compileQuery(parsed, { ...request, scope, indices })
  const searched = { scope, signal, route: 'search' }
  if (plan.kind === 'event') {
    const ask: Ask = async (body) => String(await runSearch(services, { ...searched, expression, query, body }))
    return runQuery({ request, parsed, plan, ask, signal })
  }
  const heldMsMax = readTime('search.max_keep_alive', clusterSetting(services.catalogue, 'search.max_keep_alive'))
  const held = { ...query, keep_alive: Math.min(pageMsMax, heldMsMax) }
  const { id } = await openContext({ ...call, query: held }, services, 'search')
  const ask: Ask = async (body) =>
    String(await runSearch(services, { ...searched, expression: '', query, body: { ...body, pit: { id } } }))
  try {
    return await runQuery({ request, parsed, plan, ask, signal })
  } finally {
    searchContexts(services).close([id], scope)
  }
}

function missing(expression: string): AppError {
  return new AppError(searchErrors.index_not_found_exception, `no such index [${expression}]`, {
    detail: { index: expression, index_uuid: '_na_' },
  })
}

function shown(search: AsyncSearch): RouteAnswer {
  const id = JSON.stringify(search.id)
  if (search.answer) return { jsonBytes: Buffer.concat([Buffer.from(`{"id":${id},`), search.answer.subarray(1)]) }
  const head = `{"id":${id},"is_partial":true,"is_running":true,"took":0,"timed_out":false`
  return { jsonBytes: Buffer.from(`${head},"hits":${emptyAnswer('events')}}`) }
}
