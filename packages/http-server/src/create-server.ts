import type { Server as TlsServer } from 'node:tls'
import type { Logger } from '@logstack/logging'
import { type FastifyInstance, fastify, LogController } from 'fastify'
import { DrainedResponse } from './drained-response.ts'
import { minVersion, NamedCertificate, type ServerCertificates } from './named-certificate.ts'
import { answerPlainHttp } from './plain-http.ts'

/** TLS material (PEM) and limits of one HTTPS server. */
export interface ServerOptions {
  readonly tls: ServerCertificates & { readonly requestClientCertificate?: boolean }
  readonly logger: Logger
  readonly bodyBytesMax: number
  readonly headerBytesMax?: number
  /** A request whose head and body are not whole after this time is answered with 408 and its connection closed. */
  readonly requestTimeoutMs?: number
  /** Whether who comes with HTTP is led to HTTPS, as people with browsers want it, and not only told. */
  readonly redirectsPlainHttp?: boolean
  /**
   * Whether bodies are left where they come from, for `readBody`, so that a route may look first who sends: otherwise thousands that nobody knows
   * have all they send kept in memory until it is whole.
   */
  readonly leavesBodies?: boolean
}

const checkedEveryMsMax = 30_000
/** How many times within its limit a request's age is looked at. */
const checksPerLimit = 4

const namedCertificates = new WeakMap<FastifyInstance, NamedCertificate>()

/**
 * Makes the HTTPS server every part uses: TLS 1.2 or newer, bodies as raw bytes (unless they are left, `request.body` is a Buffer or undefined,
 * whatever the content type; decoding is the route's), GET and DELETE with a body, one log line a request at debug level, no URL parsing surprises.
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
  answerPlainHttp(app.server as unknown as TlsServer, options.redirectsPlainHttp ?? false)
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
