import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions, type Server as TlsServer } from 'node:tls'
import { AppError, messageOf, platformErrors } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import type { InputServices } from './input.ts'

const receiveBufferBytes = 8 * 1024 * 1024
const idleMs = 10 * 60_000

/** `host:port`. */
export interface Address {
  readonly host: string
  readonly port: number
}

/** The address in an environment variable; undefined when it is not set, an error when it is none. */
export function addressIn({ environment }: InputServices, variable: string): Address | undefined {
  const text = environment.env[variable]
  if (!text) return undefined
  const at = text.lastIndexOf(':')
  const port = Number(text.slice(at + 1))
  if (at > 0 && Number.isInteger(port)) return { host: text.slice(0, at).replace(/^\[|\]$/g, ''), port }
  throw new AppError(platformErrors.environment_missing, `${variable} is [${text}], expected host:port`)
}

function cannotListen(what: string, { host, port }: Address, thrown: unknown): never {
  throw new AppError(
    platformErrors.environment_missing,
    `cannot listen for ${what} on ${host}:${port}: ${messageOf(thrown)}`,
    { cause: thrown, fix: 'free the port, or set another one in the environment of endpoint-manager' },
  )
}

/** Takes datagrams; `take` must not throw. */
export async function listenUdp(
  what: string,
  address: Address,
  logger: Logger,
  take: (bytes: Buffer, sender: string) => void,
): Promise<UdpSocket> {
  const type = address.host.includes(':') ? 'udp6' : 'udp4'
  const socket = createSocket({ type, recvBufferSize: receiveBufferBytes })
  socket.on('message', (bytes, sender) => take(bytes, sender.address))
  try {
    socket.bind(address.port, address.host)
    await Promise.race([once(socket, 'listening'), once(socket, 'error').then(([thrown]) => Promise.reject(thrown))])
  } catch (thrown) {
    socket.close()
    cannotListen(what, address, thrown)
  }
  socket.on('error', (thrown) => logger.error({ err: thrown }, `${what} over UDP`))
  return socket
}

/** Connections being read. */
export interface TcpListener {
  /** Gives new connections a new certificate. */
  renew(tls: TlsOptions): void
  close(): void
}

/**
 * Takes connections, with `tls` encrypted ones; more than `connectionsMax` at a time are closed at once, silent ones after ten minutes. `read` gets
 * each; when it throws, the connection is closed and the reason logged with the sender.
 */
export async function listenTcp(
  what: string,
  address: Address,
  options: { readonly logger: Logger; readonly connectionsMax: number; readonly tls?: TlsOptions },
  read: (socket: Socket, sender: string) => Promise<void>,
): Promise<TcpListener> {
  const { logger, connectionsMax, tls } = options
  const sockets = new Set<Socket>()
  const serve = (socket: Socket): void => {
    const sender = socket.remoteAddress ?? ''
    const refuse = (thrown: unknown): void => {
      logger.info({ sender }, `${what} sender: ${messageOf(thrown)}`)
      socket.destroy()
    }
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', refuse)
    socket.setTimeout(idleMs, () => socket.destroy())
    read(socket, sender).catch(refuse)
  }
  const server: Server | TlsServer = tls ? createTlsServer(tls, serve) : createServer(serve)
  server.maxConnections = connectionsMax
  server.on('tlsClientError', (thrown: Error, socket: Socket) =>
    logger.info({ sender: socket.remoteAddress }, `${what} sender: ${messageOf(thrown)}`),
  )
  try {
    server.listen(address.port, address.host)
    await once(server, 'listening')
  } catch (thrown) {
    cannotListen(what, address, thrown)
  }
  return {
    renew(fresh) {
      if ('setSecureContext' in server) server.setSecureContext(fresh)
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
