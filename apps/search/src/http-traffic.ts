import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { networkInterfaces } from 'node:os'

/** A client's connection and what came over it; times in epoch milliseconds. */
export interface HttpClient {
  readonly id: number
  readonly localAddress: string
  readonly remoteAddress: string
  readonly openedMs: number
  closedMs: number | undefined
  agent: string | undefined
  opaqueId: string | undefined
  forwardedFor: string | undefined
  lastUri: string | undefined
  lastRequestMs: number | undefined
  requests: number
  requestBytes: number
}

/** How long a connection that was closed is still told of, and how many of them at most. */
const closedMsMax = 300_000
const closedMax = 1000

/** Where search listens, and the connections that clients make there. In memory, since the start. */
export class HttpTraffic {
  /** The largest body that is taken, in bytes. */
  readonly bodyBytesMax: number
  readonly #now: () => number
  readonly #clients = new Map<Socket, HttpClient>()
  #closed: HttpClient[] = []
  #opened = 0
  #bound = { address: '127.0.0.1', port: 9200 }

  constructor(bodyBytesMax: number, now: () => number) {
    this.bodyBytesMax = bodyBytesMax
    this.#now = now
  }

  /** Follows a server from before it listens. */
  watch(server: Server): void {
    server.on('listening', () => {
      const bound = server.address() as AddressInfo
      this.#bound = { address: bound.address, port: bound.port }
    })
    server.on('secureConnection', (socket: Socket) => this.#open(socket))
    server.on('request', (request: IncomingMessage) => this.#count(request))
  }

  /** `host:port` as it was bound. */
  get boundAddress(): string {
    return printAddress(this.#bound.address, this.#bound.port)
  }

  /** `host:port` that others reach it by: of all addresses, the first that is not loopback. */
  get publishAddress(): string {
    const { address, port } = this.#bound
    if (address !== '0.0.0.0' && address !== '::') return printAddress(address, port)
    const outer = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .find(({ internal, family }) => !internal && family === 'IPv4')
    return printAddress(outer?.address ?? '127.0.0.1', port)
  }

  /** Connections that are open, and all there were. */
  get counts(): { readonly open: number; readonly opened: number } {
    return { open: this.#clients.size, opened: this.#opened }
  }

  /** The connections that are open, and those that were closed not long ago. */
  clients(): readonly HttpClient[] {
    const since = this.#now() - closedMsMax
    this.#closed = this.#closed.filter(({ closedMs = 0 }) => closedMs >= since).slice(-closedMax)
    return [...this.#clients.values(), ...this.#closed]
  }

  #open(socket: Socket): void {
    this.#opened += 1
    const client: HttpClient = {
      id: this.#opened,
      localAddress: printAddress(socket.localAddress ?? '', socket.localPort ?? 0),
      remoteAddress: printAddress(socket.remoteAddress ?? '', socket.remotePort ?? 0),
      openedMs: this.#now(),
      closedMs: undefined,
      agent: undefined,
      opaqueId: undefined,
      forwardedFor: undefined,
      lastUri: undefined,
      lastRequestMs: undefined,
      requests: 0,
      requestBytes: 0,
    }
    this.#clients.set(socket, client)
    socket.once('close', () => {
      this.#clients.delete(socket)
      client.closedMs = this.#now()
      this.#closed.push(client)
      if (this.#closed.length > 2 * closedMax) this.#closed = this.#closed.slice(-closedMax)
    })
  }

  #count({ socket, headers, url }: IncomingMessage): void {
    const client = this.#clients.get(socket)
    if (client === undefined) return
    client.requests += 1
    client.requestBytes += Number(headers['content-length'] ?? 0) || 0
    client.lastRequestMs = this.#now()
    client.lastUri = url
    client.agent = headers['user-agent']
    client.opaqueId = textOf(headers['x-opaque-id'])
    client.forwardedFor = textOf(headers['x-forwarded-for'])
  }
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header
}

function printAddress(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
}
