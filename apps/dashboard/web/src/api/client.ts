import { isSessionEnded, sessionRenewed } from './session-end.ts'

/** An answer that is not a success, from the dashboard or, through it, from search. */
export class ApiError extends Error {
  readonly status: number
  /** The dashboard's error code or search's error type. */
  readonly code: string | undefined
  /** The whole error body, for people who want to see it. */
  readonly body: unknown

  constructor(status: number, message: string, code: string | undefined, body: unknown) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.body = body
  }
}

/** The address that answers who is logged in, and logs in and out: the one that does not need a session. */
export const sessionPath = 'api/session'

/** What `request` takes besides the path. */
export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly json?: unknown
  readonly body?: BodyInit
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/**
 * Sends one request to the dashboard, relative to the page's base, and answers the response whatever its status. When the session has
 * ended it waits until its user has logged in again, and asks once more.
 */
export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  const { signal } = options
  if (path === sessionPath) return sendOnce(path, options)
  if (isSessionEnded()) await sessionRenewed(signal)
  for (;;) {
    const response = await sendOnce(path, options)
    // A 401 that search gave is about a right, not about this session.
    if (response.status !== 401 || response.headers.has('x-search-status')) return response
    await sessionRenewed(signal)
  }
}

async function sendOnce(path: string, options: RequestOptions): Promise<Response> {
  const url = new URL(path.replace(/^\//, ''), document.baseURI)
  for (const [name, value] of Object.entries(options.query ?? {}))
    if (value !== undefined) url.searchParams.set(name, value)
  const { method = 'GET', json, signal } = options
  const headers = {
    'kbn-xsrf': 'logstack',
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    ...options.headers,
  }
  const body = json === undefined ? options.body : JSON.stringify(json)
  try {
    return await fetch(url, { method, headers, ...(body === undefined ? {} : { body }), ...(signal ? { signal } : {}) })
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') throw thrown
    throw new ApiError(0, 'The dashboard does not answer. Is the stack running?', 'network', undefined)
  }
}

/** Sends a request and answers its JSON; throws `ApiError` for every other status than 2xx. */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return (await requestWithHeaders<T>(path, options)).body
}

/** Like `request`, with the headers of the answer. */
export async function requestWithHeaders<T>(
  path: string,
  options: RequestOptions = {},
): Promise<{ readonly body: T; readonly headers: Headers }> {
  const response = await send(path, options)
  const text = await response.text()
  const body = parse(text)
  if (response.ok) return { body: body as T, headers: response.headers }
  throw errorOf(response.status, body)
}

/** Whether asking again may help: search was away or busy. */
export function isRetryable(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 502 || error.status === 503)
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}

interface ErrorShape {
  message?: string
  attributes?: { code?: string }
  error?: { type?: string; reason?: string; root_cause?: { reason?: string }[] } | string
}

/** The error of an answer, in the dashboard's shape or in search's. */
export function errorOf(status: number, body: unknown): ApiError {
  const shape = (typeof body === 'object' && body !== null ? body : {}) as ErrorShape
  if (typeof shape.error === 'object') {
    const reason = shape.error.root_cause?.[0]?.reason ?? shape.error.reason
    return new ApiError(status, reason ?? `search answered ${status}`, shape.error.type, body)
  }
  return new ApiError(
    status,
    shape.message ?? `The request failed with status ${status}.`,
    shape.attributes?.code,
    body,
  )
}
