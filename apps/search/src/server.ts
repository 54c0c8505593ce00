import { setMaxListeners } from 'node:events'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { AppError, errorKinds, isAppError, searchErrors } from '@logstack/errors'
import { createServer, replaceCertificate, type ServerCertificates } from '@logstack/http-server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Route, RouteAnswer, RouteRequest } from './api/define-route.ts'
import { inflateBody, tooLarge } from './api/encoding/inflate.ts'
import { type AnswerFormat, answerFormat, bodyFormat } from './api/encoding/media-types.ts'
import { identify } from './api/identify.ts'
import { readParameters } from './api/parameters.ts'
import { parseBody } from './api/read-request.ts'
import { renderAnswer } from './api/render-answer.ts'
import { renderError } from './api/render-error.ts'
import { requirePrivileges } from './api/require-privileges.ts'
import { createRouter, type RouteMatch, type Router } from './api/router.ts'
import type { Scope } from './model/scope.ts'
import { countRequest } from './painless/thread-rounds.ts'
import { actionOf } from './security/actions.ts'
import { auditRequest, type RequestAudit } from './security/audit/request-audit.ts'
import { anonymousScope } from './security/role-scope.ts'
import type { Services } from './services.ts'
import { type Task, tasksOf } from './tasks/tasks.ts'

/** Limits of the API; units in the names. */
export interface ServerLimits {
  /** Of any body, as sent and as inflated; a route may take less. */
  readonly bodyBytesMax: number
  /** Of routes that name no limit of their own. */
  readonly plainBodyBytesMax: number
  readonly requestTimeMsMax: number
  /** Answers from this size on are compressed for clients that ask for it. */
  readonly gzipBytesMin: number
}

export const defaultServerLimits: ServerLimits = {
  bodyBytesMax: 100 * 1024 * 1024,
  plainBodyBytesMax: 16 * 1024 * 1024,
  requestTimeMsMax: 15 * 60_000,
  gzipBytesMin: 2048,
}

/** The HTTPS face of search. */
export interface SearchServer {
  /** Resolves with the port that was taken, when `port` is 0 a free one. */
  listen(host: string, port: number): Promise<number>
  /** Ends idle connections, waits for running requests. */
  close(): Promise<void>
  replaceCertificate(tls: ServerCertificates): void
}

type MatchedRoute = Extract<RouteMatch, { kind: 'route' }>

/** What is known of a request before its body is read. */
interface Prepared {
  readonly path: string
  readonly rawQuery: string
  readonly scope: Scope
  readonly match: MatchedRoute
  readonly audit: RequestAudit
}

interface Context {
  readonly router: Router
  readonly services: Services
  readonly limits: ServerLimits
}

const gzipBody = promisify(gzip)
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const

/** Makes the server: routing, authentication before the body is read, limits, and the one place where answers and errors are written. */
export function createSearchServer(options: {
  readonly tls: ServerCertificates
  readonly services: Services
  readonly routes: readonly Route[]
  readonly limits?: ServerLimits
}): SearchServer {
  const { services, limits = defaultServerLimits } = options
  const context: Context = { router: createRouter(options.routes), services, limits }
  const app = createServer({ tls: options.tls, logger: services.logger, bodyBytesMax: limits.bodyBytesMax })
  services.http.watch(app.server)
  const prepared = new WeakMap<FastifyRequest, Prepared>()
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.once('close', countRequest().ended)
    reply.header('X-elastic-product', 'Elasticsearch').headers(headersOfTask(request))
    const result = await prepare(request, context)
    if ('match' in result) prepared.set(request, result)
    else await send(request, reply, result, context)
  })
  app.setErrorHandler(async (error, request, reply) => {
    reply.header('X-elastic-product', 'Elasticsearch')
    await sendError(error, request, reply, context)
  })
  app.route({
    method: [...methods],
    url: '*',
    handler: async (request, reply) => {
      const known = prepared.get(request)
      if (!known) throw new Error('BUG: request was not prepared')
      await send(request, reply, await run(request, reply, known, context), context)
      return reply
    },
  })
  return {
    listen: (host, port) => app.listen({ host, port }).then(() => portOf(app, port)),
    close: () => app.close(),
    replaceCertificate: (tls) => replaceCertificate(app, tls),
  }
}

function portOf(app: FastifyInstance, asked: number): number {
  const address = app.server.address()
  return typeof address === 'object' && address ? address.port : asked
}

/** Who asks, and for which route: everything that can be refused without the body. */
async function prepare(
  request: FastifyRequest,
  { router, services, limits }: Context,
): Promise<Prepared | RouteAnswer> {
  const uri = request.raw.url ?? '/'
  const { path, rawQuery } = splitUri(uri)
  const match = router.match(request.method, path)
  const anonymous = match.kind === 'route' && match.route.privilege === 'anonymous'
  const audit = auditRequest(services.audit, {
    method: request.method,
    path,
    rawQuery,
    address: request.ip,
    authorization: request.headers.authorization,
    opaqueId: headersOfTask(request)[opaqueIdHeader],
  })
  const scope = anonymous ? anonymousScope : await identify(request, match, { security: services.security, audit })
  if (match.kind === 'none') {
    return {
      status: 400,
      unfiltered: true,
      json: { error: `no handler found for uri [${uri}] and method [${request.method}]` },
    }
  }
  if (match.kind === 'method') {
    const allowed = match.allowed.join(', ')
    const error = `Incorrect HTTP method for uri [${uri}] and method [${request.method}], allowed: [${allowed}]`
    return { status: 405, unfiltered: true, json: { error, status: 405 }, headers: { allow: match.allowed.join(',') } }
  }
  requirePrivileges(match.route, match.params, scope)
  const bytesMax = match.route.bodyBytesMax ?? limits.plainBodyBytesMax
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax)
  return { path, rawQuery, scope, match, audit }
}

function splitUri(uri: string): { path: string; rawQuery: string } {
  const at = uri.indexOf('?')
  return at < 0 ? { path: uri, rawQuery: '' } : { path: uri.slice(0, at), rawQuery: uri.slice(at + 1) }
}

/** Reads parameters and body, and lets the route answer within its time. */
async function run(
  request: FastifyRequest,
  reply: FastifyReply,
  { path, rawQuery, scope, match, audit }: Prepared,
  { services, limits }: Context,
): Promise<RouteAnswer> {
  const { route } = match
  const { query, common } = readParameters(rawQuery, route.parameters, path)
  const bytesMax = route.bodyBytesMax ?? limits.plainBodyBytesMax
  const sent = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const inflated = await inflateBody(sent, request.headers['content-encoding'], bytesMax)
  const { body, contentType } = bodyOrSource(inflated, request.headers['content-type'] ?? '', common)
  if (body.length > 0 && bodyFormat(contentType) === undefined) {
    const error = `Content-Type header [${contentType}] is not supported`
    return { status: 406, unfiltered: true, json: { error, status: 406 } }
  }
  const { format } = answerFormat(request.headers.accept, common['format'], route.isTable)
  const taskHeaders = headersOfTask(request)
  const task = listTask(route, request.method, path, taskHeaders, services)
  const { signal, ended, finish } = lifetime(
    reply,
    route.waitsForWork ? undefined : limits.requestTimeMsMax,
    task?.signal,
  )
  let parsed: { readonly value: unknown } | undefined
  const routeRequest: RouteRequest = {
    method: request.method,
    path,
    params: match.params,
    query,
    body,
    json() {
      parsed ??= { value: parseBody(body, contentType) }
      return parsed.value
    },
    contentType,
    answerFormat: format,
    accept: request.headers.accept,
    address: request.ip,
    taskHeaders,
    scope,
    errorTrace: common['error_trace'] === true,
    signal,
  }
  try {
    const answer = await Promise.race([route.handle(routeRequest, services), ended])
    tell(audit, routeRequest, route, answer)
    return answer
  } finally {
    finish()
    if (task) tasksOf(services).end(task)
  }
}

/** Notes what a request was let do. */
function tell(audit: RequestAudit, request: RouteRequest, route: Route, { status = 200 }: RouteAnswer): void {
  const { scope, params } = request
  if (route.privilege === 'anonymous') return
  audit.granted(scope, actionOf(route.name, levelOf(route)), params['index'])
  if (status < 300) audit.changed(scope, route.name, params, () => (request.body.length === 0 ? {} : request.json()))
}

function levelOf({ privilege }: Route): 'cluster' | 'index' {
  return typeof privilege === 'object' && 'index' in privilege ? 'index' : 'cluster'
}

const opaqueIdHeader = 'X-Opaque-Id'

function headersOfTask(request: FastifyRequest): Record<string, string> {
  const given = request.headers[opaqueIdHeader.toLowerCase()]
  return typeof given === 'string' ? { [opaqueIdHeader]: given } : {}
}

/** A request is a task while it runs. Only what reads can be cancelled: a write is done or not done. */
function listTask(
  route: Route,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  services: Services,
): Task | undefined {
  if (route.listsItself) return undefined
  const action = actionOf(route.name, levelOf(route))
  const cancellable = action.startsWith('indices:data/read/')
  return tasksOf(services).begin({ action, description: `${method} ${path}`, cancellable, headers })
}

/** The body, or what the query's `source` holds for clients that cannot send one. */
function bodyOrSource(
  body: Buffer,
  contentType: string,
  common: Readonly<Record<string, unknown>>,
): { body: Buffer; contentType: string } {
  const source = common['source']
  if (body.length > 0 || typeof source !== 'string') return { body, contentType }
  const type = common['source_content_type']
  if (typeof type !== 'string') {
    throw new AppError(
      searchErrors.illegal_argument_exception,
      'source and source_content_type parameters are required',
    )
  }
  return { body: Buffer.from(source), contentType: type }
}

/** A signal that aborts when the client goes away, the time is up, where there is a limit, or the task is cancelled, and a promise that rejects then. */
function lifetime(
  reply: FastifyReply,
  timeMsMax: number | undefined,
  cancelled: AbortSignal | undefined,
): { signal: AbortSignal; ended: Promise<never>; finish: () => void } {
  const controller = new AbortController()
  // A request may wait for many reads at once, each with a listener that goes when the read ends.
  setMaxListeners(0, controller.signal)
  let reject: (reason: Error) => void = () => undefined
  const ended = new Promise<never>((_, rejectEnded) => {
    reject = rejectEnded
  })
  const endWith = (error: AppError): void => {
    controller.abort(error)
    reject(error)
  }
  const end = (reason: string): void => endWith(new AppError(searchErrors.request_timeout_exception, reason))
  const onCancel = (): void => {
    if (isAppError(cancelled?.reason)) endWith(cancelled.reason)
  }
  cancelled?.addEventListener('abort', onCancel)
  const onClose = (): void => {
    if (!reply.raw.writableFinished) end('the client closed the connection')
  }
  reply.raw.on('close', onClose)
  const timer =
    timeMsMax === undefined
      ? undefined
      : setTimeout(() => end(`the request did not end within ${timeMsMax} ms`), timeMsMax)
  const finish = (): void => {
    clearTimeout(timer)
    cancelled?.removeEventListener('abort', onCancel)
    reply.raw.off('close', onClose)
  }
  return { signal: controller.signal, ended, finish }
}

async function sendError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  context: Context,
): Promise<void> {
  const error = known(thrown, context.limits)
  const level = isAppError(error) ? errorKinds[error.kind].logLevel : 'error'
  const { path } = splitUri(request.raw.url ?? '/')
  context.services.logger[level === 'error' ? 'error' : 'debug'](
    { err: error, method: request.method, path },
    'request failed',
  )
  const trace = isSet(new URLSearchParams(splitUri(request.raw.url ?? '/').rawQuery).get('error_trace'))
  const { status, body, headers } = renderError(error, { trace })
  for (const [name, value] of Object.entries(headers)) reply.header(name, value)
  await send(request, reply, { status, json: body, unfiltered: true }, context)
}

/** The HTTP framework's own refusals as ours. */
function known(thrown: unknown, limits: ServerLimits): unknown {
  if (isAppError(thrown)) return thrown
  const { statusCode, message } = thrown as { statusCode?: number; message?: string }
  if (statusCode === 413) return tooLarge(limits.bodyBytesMax)
  if (statusCode !== undefined && statusCode < 500) {
    return new AppError(searchErrors.illegal_argument_exception, message ?? 'bad request')
  }
  return thrown
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: RouteAnswer,
  { limits }: Context,
): Promise<void> {
  if (reply.raw.destroyed) return
  const options = answerOptions(request)
  const rendered = renderAnswer(answer, options)
  const accepts = String(request.headers['accept-encoding'] ?? '')
  const compress = rendered.body.length >= limits.gzipBytesMin && /\bgzip\b/.test(accepts) && request.method !== 'HEAD'
  const body = compress ? await gzipBody(rendered.body, { level: 3 }) : rendered.body
  reply.code(rendered.status).headers(rendered.headers)
  if (compress) reply.header('content-encoding', 'gzip').header('vary', 'accept-encoding')
  if (request.method === 'HEAD') reply.header('content-length', body.length)
  await reply.send(request.method === 'HEAD' ? undefined : body)
}

/** `pretty`, `filter_path` and `format` as given, read leniently: they must also work on the answer that refuses them. */
function answerOptions(request: FastifyRequest): {
  pretty: boolean
  human: boolean
  filterPath: string | undefined
  answer: AnswerFormat
} {
  const query = new URLSearchParams(splitUri(request.raw.url ?? '/').rawQuery)
  const format = query.get('format')
  const yaml = format === 'yaml' ? 'yaml' : format === null ? undefined : 'json'
  return {
    pretty: isSet(query.get('pretty')),
    human: isSet(query.get('human')),
    filterPath: query.get('filter_path') ?? undefined,
    answer: answerFormat(request.headers.accept, yaml),
  }
}

/** A bare flag is set too. */
function isSet(flag: string | null): boolean {
  return flag === '' || flag === 'true'
}
