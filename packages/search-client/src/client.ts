import { Agent, request as httpsRequest } from 'node:https'
import { AppError, platformErrors } from '@logstack/errors'
import { capabilitiesOf, type ServerCapabilities } from './capabilities.ts'

/** How to authenticate: a service account's name and password, or a token from search. */
export type Credentials =
  | { readonly username: string; readonly password: string }
  | { readonly bearer: string }
  | { readonly apiKey: string }

export interface SearchClientOptions {
  /** `https://host:port`, without a path. */
  readonly url: string
  /** PEM of the CA that signed search's certificate. */
  readonly ca: string
  readonly credentials?: Credentials
  /** Limit for one request, 30 s unless told. */
  readonly timeoutMs?: number
  readonly connectionsMax?: number
}

export interface SearchRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD'
  /** Path with encoded names, starting with a slash. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  /** An object is sent as JSON, a string or bytes as they are. */
  readonly body?: unknown
  /** `application/json` unless told. */
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  /** Statuses that are answers, not errors; 2xx always are. */
  readonly accept?: readonly number[]
}

export interface SearchResponse<T = unknown> {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Parsed when the answer is JSON, else its text. */
  readonly body: T
}

/**
 * The only way parts other than search reach data: Elasticsearch's HTTP API over TLS with one keep-alive pool. Refused requests throw
 * `search_refused` (detail: status, type, reason), unreachable servers `search_unreachable`. Never retries: the caller knows what is safe.
 */
export class SearchClient {
  readonly #agent: Agent
  readonly #options: SearchClientOptions
  #capabilities: Promise<ServerCapabilities> | undefined

  /** `pool` is for `withCredentials` only: a client shares the connections of the one it was made from. */
  constructor(options: SearchClientOptions, pool?: Agent) {
    this.#options = options
    this.#agent = pool ?? new Agent({ ca: options.ca, keepAlive: true, maxSockets: options.connectionsMax ?? 16 })
  }

  /** The same pool and server under other credentials. */
  withCredentials(credentials: Credentials): SearchClient {
    return new SearchClient({ ...this.#options, credentials }, this.#agent)
  }

  /** What the server is and can do; asked once, and again after a failure. */
  capabilities(): Promise<ServerCapabilities> {
    this.#capabilities ??= this.request({ method: 'GET', path: '/' }).then((response) => capabilitiesOf(response.body))
    this.#capabilities.catch(() => {
      this.#capabilities = undefined
    })
    return this.#capabilities
  }

  async request<T = unknown>(request: SearchRequest): Promise<SearchResponse<T>> {
    const response = await this.#send(request)
    const text = response.body.toString('utf8')
    const isJson = String(response.headers['content-type'] ?? '').includes('json')
    const body = (isJson && text ? JSON.parse(text) : text) as T
    if (response.status < 300 || request.accept?.includes(response.status)) return { ...response, body }
    throw refused(request, response.status, body)
  }

  /** Like `request`, for answers that are passed on as they are; never throws for a status. */
  requestBytes(request: SearchRequest): Promise<SearchResponse<Buffer>> {
    return this.#send(request)
  }

  close(): void {
    this.#agent.destroy()
  }

  #send(request: SearchRequest): Promise<SearchResponse<Buffer>> {
    const url = new URL(this.#options.url)
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
      ...authorization(this.#options.credentials),
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
          agent: this.#agent,
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

function encodeBody(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined
  if (Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

function authorization(credentials: Credentials | undefined): Record<string, string> {
  if (!credentials) return {}
  if ('bearer' in credentials) return { authorization: `Bearer ${credentials.bearer}` }
  if ('apiKey' in credentials) return { authorization: `ApiKey ${credentials.apiKey}` }
  return { authorization: `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}` }
}

function refused(request: SearchRequest, status: number, body: unknown): AppError {
  const error = (body as { error?: { type?: string; reason?: string } } | null)?.error
  const reason = error?.reason ?? (typeof body === 'string' ? body.slice(0, 300) : JSON.stringify(body)?.slice(0, 300))
  const entry = { ...platformErrors.search_refused, kind: kindOfStatus(status) }
  return new AppError(entry, `search answered ${status} to ${request.method} ${request.path}: ${reason ?? 'no body'}`, {
    detail: { status, type: error?.type, reason },
  })
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
