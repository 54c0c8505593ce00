import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { createServer as createTlsServer, type TlsOptions, type Server as TlsServer } from 'node:tls'
import { AppError, messageOf, platformErrors } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import { readCertificates } from '@logstack/part'
import type { InputServices } from './input.ts'
import { type Datagram, Datagrams } from './udp/datagrams.ts'

const reportLossEveryMs = 10_000
const idleMs = 10 * 60_000
// A connection that was silent for so long has nothing on its way here; those that go on sending are ended after the second time.
const quietMs = 100
const closeLimitMs = 2_000
const lookEveryMs = 20
/** In looks, not in time: between two of them the kernel is asked for more, however long the work of others took. */
const quietLooks = quietMs / lookEveryMs

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

/** Takes datagrams; those that are lost are logged, at most once in ten seconds. */
export async function listenUdp(
  what: string,
  address: Address,
  { logger, losses }: InputServices,
  take: (datagrams: readonly Datagram[]) => void,
): Promise<Datagrams> {
  const lost = (count: number, where: 'kernel' | 'process'): void => {
    losses.lost(what, where, count)
    report(count, where)
  }
  let next = 0
  let unreported = 0
  const report = (count: number, where: string): void => {
    unreported += count
    if (performance.now() < next) return
    next = performance.now() + reportLossEveryMs
    logger.error({ lost: unreported, where }, `${what} over UDP: datagrams came faster than they were read`)
    unreported = 0
  }
  return await Datagrams.listen(address, logger, { take, lost }).catch((thrown: unknown) =>
    cannotListen(what, address, thrown),
  )
}

/** The part's own certificate, as a TLS listener takes it. */
export function certificateOf({ environment }: InputServices): { cert: string; key: string; minVersion: 'TLSv1.2' } {
  const { cert, key } = readCertificates(environment, 'endpoint-manager')
  return { cert, key, minVersion: 'TLSv1.2' }
}

/** Connections being read. */
export interface TcpListener {
  /** Gives new connections a new certificate. */
  renew(tls: TlsOptions): void
  /** Takes no new connections, reads what has come on those there are, and ends them; resolves when their readers are done. */
  close(): Promise<void>
}

/** Counts connections that are refused for want of room, and logs it at most once in ten seconds; told how many may be open. */
export function refusals(
  what: string,
  { logger, losses }: { readonly logger: Logger; readonly losses: Pick<InputServices['losses'], 'lost'> },
): (connectionsMax: number) => void {
  let nextReport = 0
  return (connectionsMax) => {
    losses.lost(what, 'connections', 1)
    if (performance.now() < nextReport) return
    nextReport = performance.now() + reportLossEveryMs
    logger.error(`${what}: ${connectionsMax} connections are open, others are refused`)
  }
}

/** Open connections of one kind. `read` gets each; when it throws, the connection is closed and the reason logged with the sender. */
export class Connections {
  readonly #what: string
  readonly #logger: Logger
  readonly #read: (socket: Socket, sender: string) => Promise<void>
  readonly #sockets = new Set<Socket>()
  readonly #readers = new Set<Promise<void>>()

  constructor(what: string, logger: Logger, read: (socket: Socket, sender: string) => Promise<void>) {
    this.#what = what
    this.#logger = logger
    this.#read = read
  }

  /** How many there are. One that has ended counts until what it had sent was taken: it is kept in memory so long. */
  get open(): number {
    return Math.max(this.#sockets.size, this.#readers.size)
  }

  /** Reads a connection until it ends; one that is silent for ten minutes is closed. */
  serve(socket: Socket): void {
    const sender = socket.remoteAddress ?? ''
    let isRefused = false
    const refuse = (thrown: unknown): void => {
      // A reader that gives up has its socket end with an error of its own, which says nothing more.
      if (!isRefused) this.#logger.info({ sender }, `${this.#what} sender: ${messageOf(thrown)}`)
      isRefused = true
      socket.destroy()
    }
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', refuse)
    socket.setTimeout(idleMs, () => socket.destroy())
    const reader = this.#read(socket, sender)
      .catch(refuse)
      .finally(() => this.#readers.delete(reader))
    this.#readers.add(reader)
  }

  /** Reads what has come, and ends all; resolves when their readers are done. */
  async end(): Promise<void> {
    await endWhenQuiet(this.#sockets)
    await Promise.all(this.#readers)
  }
}

/**
 * Takes connections, with `tls` encrypted ones; more than `connectionsMax` at a time, or that have left something to be taken, are closed at once and counted,
 * silent ones after ten minutes. `read` gets each; when it throws, the connection is closed and the reason logged with the sender.
 */
export async function listenTcp(
  what: string,
  address: Address,
  options: {
    readonly logger: Logger
    readonly losses: Pick<InputServices['losses'], 'lost'>
    readonly connectionsMax: number
    readonly tls?: TlsOptions
  },
  read: (socket: Socket, sender: string) => Promise<void>,
): Promise<TcpListener> {
  const { logger, connectionsMax, tls } = options
  const connections = new Connections(what, logger, read)
  let accepted = 0
  const report = refusals(what, options)
  const refused = (): void => report(connectionsMax)
  const serve = (socket: Socket): void => {
    if (connections.open < connectionsMax) connections.serve(socket)
    else {
      socket.destroy()
      refused()
    }
  }
  const server: Server | TlsServer = tls ? createTlsServer(tls, serve) : createServer(serve)
  server.on('connection', () => {
    accepted += 1
  })
  server.maxConnections = connectionsMax
  server.on('drop', refused)
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
    async close() {
      await acceptWaiting(() => accepted)
      server.close()
      await connections.end()
    },
  }
}

/** Lets the server take the connections that the kernel has made for it already: their senders believe that they are through. */
async function acceptWaiting(accepted: () => number): Promise<void> {
  const end = performance.now() + quietMs
  for (let before = -1; accepted() !== before && performance.now() < end; ) {
    before = accepted()
    // The first may be the end of this turn of the loop; the kernel is asked before the second.
    await nextTurn()
    await nextTurn()
  }
}

/** Ends each socket once all that came was read from it and nothing comes any more, and the rest at the limit. */
async function endWhenQuiet(sockets: ReadonlySet<Socket>): Promise<void> {
  const seen = new Map<Socket, { bytes: number; looks: number }>()
  for (const end = performance.now() + closeLimitMs; sockets.size > 0 && performance.now() < end; ) {
    for (const socket of sockets) {
      const { bytes, looks } = seen.get(socket) ?? { bytes: -1, looks: 0 }
      const isStill = socket.bytesRead === bytes && socket.readableLength === 0
      seen.set(socket, { bytes: socket.bytesRead, looks: isStill ? looks + 1 : 0 })
      if (isStill && looks >= quietLooks) socket.destroy()
    }
    await sleep(lookEveryMs)
  }
  for (const socket of sockets) socket.destroy()
}
