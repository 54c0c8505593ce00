import { AppError, searchErrors } from '@logstack/errors'
import { parseQuery } from '@logstack/esql'
import { type EsqlAnswer, runEsql } from '../../esql/run-esql.ts'
import { resolveOptions } from '../../indices/resolve-options.ts'
import type { Scope } from '../../model/scope.ts'
import { needOf } from '../../security/actions.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type Route, type RouteAnswer, type RouteRequest } from '../define-route.ts'
import { resolveAuthorized } from '../resources/authorized-indices.ts'
import { apiVersion } from '../resources/root.ts'
import { keepAliveMsDefault, keepAliveOf, keepRights, named, refuseChangedRights } from './async-search.ts'
import { type AsyncSearch, asyncSearches } from './async-searches.ts'
import { answerParameters, delimiterOf, rendered, warningHeaders } from './esql-answer.ts'
import { type EsqlBody, readEsqlBody } from './esql-body.ts'
import { type KeptAnswer, keepAnswer, keptAnswer } from './esql-kept.ts'
import { queryWithLikes } from './more-like-this.ts'

const action = 'indices:data/read/esql'
const waitMsDefault = 1_000
/** Characters of a query that the list of tasks shows. */
const describedCharsMax = 1000

/** `_query`: an ES|QL query. */
const query = defineRoute({
  name: 'esql.query',
  methods: ['POST'],
  paths: ['/_query'],
  privilege: 'authenticated',
  somewhere: { privilege: 'read', of: 'items' },
  parameters: { ...answerParameters, allow_partial_results: 'boolean' },
  isTable: true,
  async handle(request, services) {
    const from = performance.now()
    const body = readEsqlBody(request, 'esql/query')
    const answer = await answerOf(request, services, body)
    const took = Math.round(performance.now() - from)
    const written = rendered(answer, { request, columnar: body.columnar, took })
    return { ...written, headers: { ...written.headers, ...warningHeaders(answer) } }
  },
})

const submit = defineRoute({
  name: 'esql.async_query',
  methods: ['POST'],
  paths: ['/_query/async'],
  privilege: 'authenticated',
  somewhere: { privilege: 'read', of: 'items' },
  parameters: { ...answerParameters, allow_partial_results: 'boolean' },
  isTable: true,
  async handle(request, services) {
    const { scope, signal } = request
    const body = readEsqlBody(request, 'esql/async_query')
    delimiterOf({ request, columnar: body.columnar })
    const searches = asyncSearches(services)
    const begun = searches.begin({
      scope,
      action,
      description: body.query.slice(0, describedCharsMax),
      headers: request.taskHeaders,
      keepAliveMs: keepAliveOf(body.keepAliveMs) ?? keepAliveMsDefault,
      typedKeys: false,
      run: (ended) => answerToKeep({ ...request, signal: ended }, services, body),
    })
    keepRights(begun, { scope, query: {}, params: { index: indicesOf(body) } }, services)
    await searches.ended(begun, body.waitMs ?? waitMsDefault, signal)
    // Nobody has the id of a query whose client is gone.
    if (signal.aborted) searches.remove(begun)
    const isKept = begun.completedAtMs === undefined || body.keeps
    if (!isKept) searches.remove(begun)
    if (begun.completedAtMs !== undefined && begun.answer === undefined) throw begun.failure
    return shown(begun, request, isKept)
  },
})

const get = defineRoute({
  name: 'esql.async_query_get',
  methods: ['GET'],
  paths: ['/_query/async/{id}'],
  privilege: 'authenticated',
  parameters: { ...answerParameters, wait_for_completion_timeout: 'time', keep_alive: 'time' },
  isTable: true,
  handle(request, services) {
    const found = named(request, services, action)
    return foundAnswer(found, request, services)
  },
})

/** Longer than a statement takes to hear that it is not wanted any more. */
const stopMsMax = 10_000

/** Ends a query before it has all its rows. The engine gives none before it has all: a query that still ran answers none. */
const stop = defineRoute({
  name: 'esql.async_query_stop',
  methods: ['POST'],
  paths: ['/_query/async/{id}/stop'],
  privilege: 'authenticated',
  parameters: answerParameters,
  isTable: true,
  handle(request, services) {
    const found = named(request, services, action)
    const took = Math.max(0, services.now() - found.startedAtMs)
    const nothing = { columns: [], rows: [], warnings: [], took, columnar: false, isPartial: true }
    asyncSearches(services).stop(found, keepAnswer(nothing))
    return foundAnswer(found, request, services, stopMsMax)
  },
})

/** The answer of a query, after a while where the request or `waitMs` says so. */
async function foundAnswer(
  found: AsyncSearch,
  request: RouteRequest,
  services: Services,
  waitMs = (request.query['wait_for_completion_timeout'] as number | undefined) ?? 0,
): Promise<RouteAnswer> {
  refuseChangedRights(found, request, services)
  await asyncSearches(services).ended(found, waitMs, request.signal)
  if (found.completedAtMs !== undefined && found.answer === undefined) throw found.failure
  return shown(found, request)
}

const remove = defineRoute({
  name: 'esql.async_query_delete',
  methods: ['DELETE'],
  paths: ['/_query/async/{id}'],
  privilege: 'authenticated',
  parameters: {},
  async handle(request, services) {
    asyncSearches(services).remove(named(request, services, action))
    return { json: { acknowledged: true } }
  },
})

/** ES|QL: a query at once, or in the background. */
export const esqlRoutes: readonly Route[] = [query, submit, get, stop, remove]

function shown({ id, answer, completedAtMs }: AsyncSearch, request: RouteRequest, isKept = true): RouteAnswer {
  const isRunning = completedAtMs === undefined
  const head = { ...(isKept ? { id } : {}), is_running: isRunning }
  const kept = answer === undefined || isRunning ? nothingYet : keptAnswer(answer)
  const written = rendered(kept, { ...kept, request, head })
  const headers = { ...(isKept ? { [idHeader]: id } : {}), [runningHeader]: isRunning ? '?1' : '?0' }
  return { ...written, headers: { ...written.headers, ...headers, ...warningHeaders(kept) } }
}

const nothingYet: KeptAnswer = { columns: [], rows: [], warnings: [], took: 0, columnar: false, isPartial: true }

/** The same for who reads no JSON; truths are those of structured headers (RFC 8941). */
const idHeader = 'x-elasticsearch-async-id'
const runningHeader = 'x-elasticsearch-async-is-running'

async function answerToKeep(request: RouteRequest, services: Services, body: EsqlBody): Promise<Buffer> {
  const from = performance.now()
  const answer = await answerOf(request, services, body)
  const took = Math.round(performance.now() - from)
  return keepAnswer({ ...answer, took, columnar: body.columnar, isPartial: false })
}

/** The indices that a query names; none where it begins with a row of its own. */
function indicesOf({ query: text, params }: EsqlBody): string {
  const [first] = parseQuery(text, params).commands
  return first?.command === 'from' ? first.indices.join(',') : '*,-*'
}

function answerOf({ scope, signal }: RouteRequest, services: Services, body: EsqlBody): Promise<EsqlAnswer> {
  const asker = { services, scope, signal, route: 'esql.index' }
  return runEsql(services, {
    query: parseQuery(body.query, body.params),
    ...(body.filter === undefined ? {} : { filter: (indices) => queryWithLikes(asker, body.filter, indices) }),
    scope,
    signal,
    version: apiVersion,
    resolve: (expression) => {
      refuseAllUnreadable(scope, expression)
      return resolveAuthorized({ scope }, services, {
        route: 'esql.index',
        privilege: 'read',
        expression,
        options: resolveOptions({}, { forbidClosed: true }),
      })
    },
  })
}

/** Indices of which the caller may read none are unknown, as if they were not there. */
function refuseAllUnreadable(scope: Scope, expression: string): void {
  const { wanted } = needOf('esql.index', 'index', 'read')
  if (expression.split(',').some((name) => name.includes('*') || scope.hasIndex(wanted, name))) return
  throw new AppError(searchErrors.index_not_found_exception, `no such index [${expression}]`)
}
