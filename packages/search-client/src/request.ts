export interface SearchRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'
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
