import type { Server as TlsServer } from 'node:tls'
import type { Logger } from '@logstack/logging'
import { type FastifyInstance, fastify, LogController } from 'fastify'

/** TLS material (PEM) and limits of one HTTPS server. */
export interface ServerOptions {
  readonly tls: {
    readonly cert: string
    readonly key: string
    readonly ca?: string
    readonly requestClientCertificate?: boolean
  }
  readonly logger: Logger
  readonly bodyBytesMax: number
  readonly headerBytesMax?: number
  readonly requestTimeoutMs?: number
}

/**
 * Makes the HTTPS server every part uses: TLS 1.2 or newer, bodies as raw bytes (`request.body` is a Buffer or undefined, whatever
 * the content type; decoding is the route's), GET and DELETE with a body, one log line a request at debug level, no URL parsing surprises.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const { tls } = options
  const app = fastify({
    https: {
      cert: tls.cert,
      key: tls.key,
      ...(tls.ca ? { ca: tls.ca } : {}),
      requestCert: tls.requestClientCertificate ?? false,
      rejectUnauthorized: false,
      minVersion: 'TLSv1.2',
      maxHeaderSize: options.headerBytesMax ?? 65_536,
    },
    loggerInstance: options.logger as never,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: options.bodyBytesMax,
    requestTimeout: options.requestTimeoutMs ?? 0,
    keepAliveTimeout: 75_000,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 2048 },
    exposeHeadRoutes: false,
  }) as unknown as FastifyInstance
  for (const method of ['GET', 'DELETE'] as const) app.addHttpMethod(method, { hasBody: true, overrideExisting: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  return app
}

/** Gives a listening server a new certificate; open connections keep the old one, new ones get the new one. */
export function replaceCertificate(app: FastifyInstance, tls: { cert: string; key: string; ca?: string }): void {
  const server = app.server as unknown as TlsServer
  server.setSecureContext({ cert: tls.cert, key: tls.key, ...(tls.ca ? { ca: tls.ca } : {}), minVersion: 'TLSv1.2' })
}
