import type { Server as TlsServer } from 'node:tls'
import type { Logger } from '@logstack/logging'
import { type FastifyInstance, fastify, LogController } from 'fastify'
import { DrainedResponse } from './drained-response.ts'
import { minVersion, NamedCertificate, type ServerCertificates } from './named-certificate.ts'
import { answerPlainHttp, type TakeOther } from './plain-http.ts'

/** TLS material (PEM) and limits of one HTTPS server. */
export interface ServerOptions {
  readonly tls: ServerCertificates & { readonly requestClientCertificate?: boolean }
  readonly logger: Logger
  readonly bodyBytesMax: number
  readonly headerBytesMax?: number
  /** A request whose head and body have not arrived after this time is answered with 408, and its connection is closed. */
  readonly requestTimeoutMs?: number
  /** Whether a client that speaks HTTP is redirected to HTTPS, as browsers need it, and not only told where to go. */
  readonly redirectsPlainHttp?: boolean
  /** Takes connections of another protocol that shares the port. */
  readonly takeOther?: TakeOther
  /**
   * Whether bodies are left unread, so that a route can check who is sending before it calls `readBody`. Otherwise strangers could have whole bodies
   * held in memory.
   */
  readonly leavesBodies?: boolean
}

const checkedEveryMsMax = 30_000
/** How often the age of a request is checked before its time is over. */
const checksPerLimit = 4

const namedCertificates = new WeakMap<FastifyInstance, NamedCertificate>()

/**
 * Makes the HTTPS server that every part uses. It speaks TLS 1.2 or newer, and GET and DELETE may have a body. `request.body` is a Buffer or undefined
 * whatever the content type says (always undefined with `leavesBodies`): decoding is the route's business. Requests are not logged.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const { tls } = options
  const named = new NamedCertificate(tls)
  const app = fastify({
    https: {
      cert: tls.cert,
      key: tls.key,
      ...(tls.ca ? { ca: tls.ca } : {}),
      requestCert: tls.requestClientCertificate ?? false,
      rejectUnauthorized: false,
      minVersion,
      SNICallback: (name, done) => done(null, named.contextFor(name)),
      ServerResponse: DrainedResponse,
      maxHeaderSize: options.headerBytesMax ?? 65_536,
      connectionsCheckingInterval: Math.min(
        checkedEveryMsMax,
        (options.requestTimeoutMs || Number.POSITIVE_INFINITY) / checksPerLimit,
      ),
    },
    loggerInstance: options.logger as never,
    logController: new LogController({ disableRequestLogging: true }),
    // Nobody writes to a request's own logger, and making one costs more than finding the route.
    childLoggerFactory: (logger) => logger,
    bodyLimit: options.bodyBytesMax,
    requestTimeout: options.requestTimeoutMs ?? 0,
    keepAliveTimeout: 75_000,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 2048 },
    exposeHeadRoutes: false,
  }) as unknown as FastifyInstance
  // Node takes the smaller of the two for the head, whichever it is, and gives the body the other.
  if (options.requestTimeoutMs)
    app.server.headersTimeout = Math.min(app.server.headersTimeout, options.requestTimeoutMs)
  answerPlainHttp(app.server as unknown as TlsServer, options.redirectsPlainHttp ?? false, options.takeOther)
  for (const method of ['GET', 'DELETE'] as const) app.addHttpMethod(method, { hasBody: true, overrideExisting: true })
  app.removeAllContentTypeParsers()
  if (options.leavesBodies) app.addContentTypeParser('*', (_request, _stream, done) => done(null))
  else app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  namedCertificates.set(app, named)
  return app
}

/** Gives a listening server new certificates; open connections keep the old ones, new ones get the new ones. */
export function replaceCertificate(app: FastifyInstance, tls: ServerCertificates): void {
  const server = app.server as unknown as TlsServer
  namedCertificates.get(app)?.replace(tls)
  server.setSecureContext({ cert: tls.cert, key: tls.key, ...(tls.ca ? { ca: tls.ca } : {}), minVersion })
}
