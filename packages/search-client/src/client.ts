import { Agent, request as httpsRequest } from 'node:https'
import { AppError, platformErrors } from '@logstack/errors'
import { Addresses, wasNotConnected } from './addresses.ts'
import { capabilitiesOf, type ServerCapabilities } from './capabilities.ts'
import type { Answer } from './opensearch/exchange.ts'
import { answerWithOpenSearch, hasNoSuchPath, isElasticsearchOnly } from './opensearch/translate.ts'
import type { SearchRequest } from './request.ts'

/** How to authenticate: a service account's name and password, or a token from search. */
export type Credentials =
  | { readonly username: string; readonly password: string }
  | { readonly bearer: string }
  | { readonly apiKey: string }

export interface SearchClientOptions {
  /** `https://host:port`, without a path; of a cluster several, with commas between: the next is asked when one cannot be reached. */
  readonly url: string
  /** PEM of the CA that signed search's certificate. */
  readonly ca: string
  readonly credentials?: Credentials
  /** Limit for one request, 30 s unless told. */
  readonly timeoutMs?: number
  readonly connectionsMax?: number
}

export interface SearchResponse<T = unknown> {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Parsed when the answer is JSON, else its text. */
  readonly body: T
}

/** What all clients of one server share: its connections, its addresses, and what is known of it. */
interface Server {
  readonly agent: Agent
  readonly addresses: Addresses
  capabilities: ServerCapabilities | undefined
}

const pathWordsMax = 160

/**
 * The only way parts other than search reach data: Elasticsearch's HTTP API over TLS with one keep-alive pool. Refused requests throw
 * `search_refused` (detail: status, type, reason), unreachable servers `search_unreachable`. Never sends twice: the caller knows what is safe;
 * only where no connection came about the next address is asked.
 */
export class SearchClient {
  readonly #server: Server
  readonly #options: SearchClientOptions

  /** `server` is for `withCredentials` only: a client shares the connections of the one it was made from. */
  constructor(options: SearchClientOptions, server?: Server) {
    this.#options = options
    this.#server = server ?? {
      agent: new Agent({ ca: options.ca, keepAlive: true, maxSockets: options.connectionsMax ?? 16 }),
      addresses: new Addresses(options.url),
      capabilities: undefined,
    }
  }

  /** The same pool and server under other credentials. */
  withCredentials(credentials: Credentials): SearchClient {
    return new SearchClient({ ...this.#options, credentials }, this.#server)
  }

  /** What the server is and can do; asked once, and again after a failure. `headers` are for clients that have no credentials of their own. */
  async capabilities(headers: Readonly<Record<string, string>> = {}): Promise<ServerCapabilities> {
    if (this.#server.capabilities) return this.#server.capabilities
    const request: SearchRequest = { method: 'GET', path: '/', headers }
    const answer = read(await this.#send(request))
    if (answer.status > 299) throw refused(request, answer.status, answer.body)
    this.#server.capabilities = capabilitiesOf(answer.body)
    return this.#server.capabilities
  }

  async request<T = unknown>(request: SearchRequest): Promise<SearchResponse<T>> {
    const response = await this.#exchange(request)
    const { body } = read(response)
    if (response.status < 300 || request.accept?.includes(response.status)) return { ...response, body: body as T }
    throw refused(request, response.status, body)
  }

  /** Like `request`, for answers that are passed on as they are; never throws for a status. */
  requestBytes(request: SearchRequest): Promise<SearchResponse<Buffer>> {
    return this.#exchange(request)
  }

  close(): void {
    this.#server.agent.destroy()
  }

  // OpenSearch is recognised by what it says to a path it does not know, so that other servers are never asked what they are.
  async #exchange(request: SearchRequest): Promise<SearchResponse<Buffer>> {
    const isKnown = this.#server.capabilities !== undefined
    if (!isElasticsearchOnly(request.path)) return this.#send(request)
    if (!isKnown || this.#server.capabilities?.product !== 'opensearch') {
      const response = await this.#send(request)
      if (isKnown || !hasNoSuchPath(read(response))) return response
    }
    const authorization =
      request.headers?.['authorization'] ?? authorizationOf(this.#options.credentials)['authorization']
    const headers: Record<string, string> = authorization ? { authorization } : {}
    const { product } = await this.capabilities(headers)
    if (product !== 'opensearch') return this.#send(request)
    const signal = request.signal ? { signal: request.signal } : {}
    const ask = async (own: Pick<SearchRequest, 'method' | 'path' | 'body'>): Promise<Answer> =>
      read(await this.#send({ ...own, headers, ...signal }))
    const { status, body } = await answerWithOpenSearch(request, authorization, ask)
    return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) }
  }

  async #send(request: SearchRequest): Promise<SearchResponse<Buffer>> {
    const { addresses } = this.#server
    for (let left = addresses.count; ; left--) {
      const url = addresses.current
      try {
        return await this.#sendTo(url, request)
      } catch (thrown) {
        addresses.leave(url)
        if (left <= 1 || !wasNotConnected((thrown as Error).cause)) throw thrown
      }
    }
  }

  #sendTo(url: URL, request: SearchRequest): Promise<SearchResponse<Buffer>> {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(request.query ?? {}))
      if (value !== undefined) query.set(name, String(value))
    const path = query.size > 0 ? `${request.path}?${query}` : request.path
    const body = encodeBody(request.body)
    const timeoutMs = request.timeoutMs ?? this.#options.timeoutMs ?? 30_000
    const signal = request.signal
      ? AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)])
      : AbortSignal.timeout(timeoutMs)
    const headers = {
      accept: 'application/json',
      ...authorizationOf(this.#options.credentials),
      ...(body ? { 'content-type': request.contentType ?? 'application/json', 'content-length': body.length } : {}),
      ...request.headers,
    }
    return new Promise((resolve, reject) => {
      const fail = (cause: Error): void => {
        const message = signal.aborted
          ? `search at ${url.host} did not answer ${request.method} ${request.path} in time`
          : `cannot reach search at ${url.host}: ${cause.message}`
        reject(new AppError(platformErrors.search_unreachable, message, { cause }))
      }
      const outgoing = httpsRequest(
        {
          agent: this.#server.agent,
          host: url.hostname,
          port: url.port || 443,
          method: request.method,
          path,
          headers,
          signal,
        },
        (incoming) => {
          const chunks: Buffer[] = []
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
          incoming.on('error', fail)
          incoming.on('end', () =>
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) }),
          )
        },
      )
      outgoing.on('error', fail)
      outgoing.end(body)
    })
  }
}

function read({ status, headers, body }: SearchResponse<Buffer>): Answer {
  const text = body.toString('utf8')
  const isJson = String(headers['content-type'] ?? '').includes('json')
  return { status, body: isJson && text ? JSON.parse(text) : text }
}

function encodeBody(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined
  if (Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

function authorizationOf(credentials: Credentials | undefined): Record<string, string> {
  if (!credentials) return {}
  if ('bearer' in credentials) return { authorization: `Bearer ${credentials.bearer}` }
  if ('apiKey' in credentials) return { authorization: `ApiKey ${credentials.apiKey}` }
  return { authorization: `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}` }
}

function refused(request: SearchRequest, status: number, body: unknown): AppError {
  const error = (body as { error?: ErrorAnswer } | null)?.error
  const reason = causeOf(error) ?? (typeof body === 'string' ? body.slice(0, 300) : JSON.stringify(body)?.slice(0, 300))
  const entry = { ...platformErrors.search_refused, kind: kindOfStatus(status) }
  return new AppError(
    entry,
    `search answered ${status} to ${request.method} ${shortened(request.path)}: ${reason ?? 'no body'}`,
    {
      detail: { status, type: error?.type, reason },
    },
  )
}

interface ErrorAnswer {
  readonly type?: string
  readonly reason?: string
  readonly root_cause?: readonly { readonly reason?: string }[]
}

/** A search that fails in its shards says that they failed, and below it why. */
function causeOf(error: ErrorAnswer | undefined): string | undefined {
  const isOfShards = error?.type === 'search_phase_execution_exception'
  return (isOfShards ? error.root_cause?.[0]?.reason : undefined) ?? error?.reason
}

/** A path may name hundreds of indices, and what was wrong would stand behind them. */
function shortened(path: string): string {
  return path.length <= pathWordsMax ? path : `${path.slice(0, pathWordsMax - 1)}…`
}

function kindOfStatus(status: number) {
  const kinds = {
    400: 'invalid',
    401: 'unauthenticated',
    403: 'forbidden',
    404: 'not-found',
    409: 'conflict',
    413: 'too-large',
    429: 'too-many',
    503: 'unavailable',
    504: 'timeout',
  } as const
  return kinds[status as keyof typeof kinds] ?? 'internal'
}
