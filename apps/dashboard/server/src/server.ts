import { isAppError } from '@logstack/errors'
import { createServer, type ServerCertificates } from '@logstack/http-server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { renderError } from './render-error.ts'
import type { Answer, Call, DashboardRoute } from './route.ts'
import { dashboardRoutes } from './routes/index.ts'
import { securityHeaders } from './security-headers.ts'
import type { Services } from './services.ts'
import { authenticate, type Caller } from './session/authenticate.ts'

const bodyBytesDefault = 1_048_576
/** How scripts for Kibana name the space that always is; there is no other. */
const onlySpace = '/s/default'
const xsrfHeaders = ['kbn-xsrf', 'osd-xsrf', 'kbn-version', 'x-xsrf']

/** Makes the dashboard's HTTPS server; it does not listen yet. */
export function createDashboard(services: Services, tls: ServerCertificates): FastifyInstance {
  const importBytesMax = services.settings.get('import.bytes_max')
  const app = createServer({ tls, logger: services.logger, bodyBytesMax: importBytesMax, redirectsPlainHttp: true })
  const callers = new WeakMap<FastifyRequest, Caller>()
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(securityHeaders)
  })
  for (const route of dashboardRoutes) {
    const bodyLimit = route.bodyBytesMax === 'import' ? importBytesMax : (route.bodyBytesMax ?? bodyBytesDefault)
    const shared = {
      method: route.method,
      bodyLimit,
      // Before the body is read, so that a stranger cannot make the server take in a large one.
      onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
        if (route.method !== 'GET' && !xsrfHeaders.some((name) => request.headers[name] !== undefined)) {
          return refuseWithoutXsrfHeader(reply)
        }
        if (route.access === 'authenticated') callers.set(request, await authenticate(request.headers, services))
        return undefined
      },
      handler: (request: FastifyRequest, reply: FastifyReply) =>
        run(route, request, reply, callers.get(request), services),
    }
    for (const space of ['', onlySpace]) app.route({ ...shared, url: `${space}${route.path}` })
  }
  app.setNotFoundHandler((request, reply) => servePages(request, reply, services))
  app.setErrorHandler((thrown, request, reply) => answerError(thrown, request, reply, services))
  return app
}

async function run(
  route: DashboardRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller | undefined,
  services: Services,
): Promise<FastifyReply> {
  const gone = new AbortController()
  reply.raw.on('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  const call: Call = {
    params: request.params as Record<string, string>,
    query: singleValues(request.query),
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    headers: request.headers,
    address: request.ip,
    signal: gone.signal,
    caller,
  }
  return send(reply, await route.handle(call, services))
}

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  reply.status(answer.status ?? 200).header('cache-control', 'no-store')
  if (answer.bytes !== undefined) return reply.headers(answer.headers ?? {}).send(answer.bytes)
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .headers(answer.headers ?? {})
    .send(JSON.stringify(answer.json === undefined ? {} : answer.json))
}

function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply, services: Services): FastifyReply {
  const body = renderError(thrown)
  const level = body.statusCode >= 500 ? 'error' : 'debug'
  services.logger[level]({ err: thrown, method: request.method, path: request.url.split('?')[0] }, body.message)
  const retryAfter = isAppError(thrown) ? thrown.detail['retryAfterSeconds'] : undefined
  if (typeof retryAfter === 'number') reply.header('retry-after', String(retryAfter))
  return send(reply, { status: body.statusCode, json: body })
}

function refuseWithoutXsrfHeader(reply: FastifyReply): FastifyReply {
  const message = 'Request must contain a kbn-xsrf header.'
  return send(reply, { status: 400, json: { statusCode: 400, error: 'Bad Request', message } })
}

function servePages(request: FastifyRequest, reply: FastifyReply, services: Services): FastifyReply {
  const path = (request.url.split('?')[0] ?? '/').replace(/\/+/g, '/')
  const { assets } = services
  const isPage = request.method === 'GET' || request.method === 'HEAD'
  if (!isPage || /^(\/s\/[^/]+)?\/api\//.test(path)) {
    return send(reply, { status: 404, json: { statusCode: 404, error: 'Not Found', message: 'Not Found' } })
  }
  if (path === onlySpace || path.startsWith(`${onlySpace}/`)) {
    const query = request.url.indexOf('?')
    return reply.redirect((path.slice(onlySpace.length) || '/') + (query === -1 ? '' : request.url.slice(query)))
  }
  const asset =
    path === '/index.html' ? undefined : assets.find(path.slice(1), String(request.headers['accept-encoding']))
  if (asset) {
    reply.header('content-type', asset.contentType).header('vary', 'accept-encoding')
    reply.header('cache-control', asset.immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
    if (asset.encoding) reply.header('content-encoding', asset.encoding)
    return reply.send(asset.bytes)
  }
  if (path.startsWith('/assets/') || !assets.present) {
    return reply.status(404).header('content-type', 'text/plain; charset=utf-8').send('not found\n')
  }
  reply.header('content-type', 'text/html; charset=utf-8').header('cache-control', 'no-cache')
  return reply.send(assets.page(path))
}

function singleValues(query: unknown): Record<string, string> {
  const single: Record<string, string> = {}
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, string | string[]>)) {
    // A repeated parameter is a list to Kibana's clients (`type=a&type=b`).
    single[name] = Array.isArray(value) ? value.join(',') : value
  }
  return single
}
