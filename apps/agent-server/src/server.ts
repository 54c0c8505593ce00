import { STATUS_CODES } from 'node:http'
import type { AgentApiError } from '@logstack/contracts'
import { errorKinds, isAppError, messageOf } from '@logstack/errors'
import { createServer, type ServerOptions } from '@logstack/http-server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limits } from './limits.ts'
import { RawAnswer, type Route, readBody } from './routes/define-route.ts'
import { routes } from './routes/registry.ts'
import type { Services } from './services.ts'

/** The HTTPS server of agent-server, with all its routes; not yet listening. */
export function createAgentServer(services: Services, tls: ServerOptions['tls']): FastifyInstance {
  const app = createServer({
    tls,
    logger: services.logger,
    bodyBytesMax: limits.bodyBytesMax,
    requestTimeoutMs: limits.requestTimeoutMs,
    leavesBodies: true,
  })
  for (const route of routes) {
    app.route({
      method: route.method,
      url: route.path,
      handler: (request, reply) => answer(route, services, request, reply),
    })
  }
  app.setErrorHandler((thrown, request, reply) => {
    const error = renderError(thrown)
    const level = error.statusCode >= 500 ? 'error' : 'info'
    services.logger[level]({ err: thrown, method: request.method, path: request.routeOptions.url }, error.message)
    void reply.code(error.statusCode).send(error)
  })
  app.setNotFoundHandler((request, reply) => {
    const message = `no route ${request.method} ${request.url.split('?')[0]}`
    void reply.code(404).send({ statusCode: 404, error: 'Not Found', message } satisfies AgentApiError)
  })
  return app
}

async function answer(
  route: Route,
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const version = request.headers['elastic-api-version']
  if (typeof version === 'string') void reply.header('elastic-api-version', version)
  const value = await route.handle({
    services,
    parameters: request.params as Record<string, string>,
    query: request.query as Record<string, string>,
    authorization: request.headers.authorization,
    body: (schema) => readBody(request, schema),
    gone: () => endOf(reply),
  })
  // Whoever stays connected and asks nothing more would keep the part from stopping.
  if (services.stopping.aborted) void reply.header('connection', 'close')
  return value instanceof RawAnswer ? reply.type(value.contentType).send(value.body) : value
}

/** Why a call ends; without one each answer would make an error with a trace, for nobody. */
const callerGone = new Error('the caller is gone')

function endOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  if (reply.raw.closed) gone.abort(callerGone)
  else reply.raw.once('close', () => gone.abort(callerGone))
  return gone.signal
}

/** Fleet Server's form of an error. What the product did not expect is not told to callers. */
function renderError(thrown: unknown): AgentApiError {
  const statusCode = statusOf(thrown)
  const message =
    statusCode === 500 ? 'agent-server met a state it did not expect; its log has the details' : messageOf(thrown)
  return { statusCode, error: STATUS_CODES[statusCode] ?? 'Error', message }
}

function statusOf(thrown: unknown): number {
  if (isAppError(thrown)) {
    // Search refusing our own account is our trouble, not the caller's: 401 would make agents give up.
    return thrown.code === 'search_refused' ? 503 : errorKinds[thrown.kind].httpStatus
  }
  const { statusCode } = thrown as { statusCode?: unknown }
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 ? statusCode : 500
}
