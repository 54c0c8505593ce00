import type { SearchRequest } from '../request.ts'

/** An answer with its body read. */
export interface Answer {
  readonly status: number
  readonly body: unknown
}

/** A request to the server itself, with the credentials of the one that is translated. */
export type Ask = (request: Pick<SearchRequest, 'method' | 'path' | 'body'>) => Promise<Answer>

/** One of Elasticsearch's requests and how it is answered with OpenSearch's. */
export interface Translation {
  readonly methods: readonly SearchRequest['method'][]
  readonly path: RegExp
  answer(call: TranslatedCall): Promise<Answer>
}

export interface TranslatedCall {
  readonly method: SearchRequest['method']
  /** What the path's groups matched, decoded. */
  readonly names: readonly string[]
  readonly body: Readonly<Record<string, unknown>>
  /** The password of a Basic header, where the caller has one. */
  readonly password: string | undefined
  readonly ask: Ask
}

export const pluginPath = '/_plugins/_security'

/** An error in Elasticsearch's shape. */
export function refusal(status: number, type: string, reason: string): Answer {
  return { status, body: { error: { root_cause: [{ type, reason }], type, reason }, status } }
}

/** What the plugin refused, in Elasticsearch's shape; its own is `{status, message}` or a bare text. */
export function refusedBy({ status, body }: Answer): Answer {
  const { message, reason, error } = (body ?? {}) as { message?: string; reason?: string; error?: unknown }
  if (typeof error === 'object' && error !== null) return { status, body }
  const text = message ?? reason ?? (typeof body === 'string' && body !== '' ? body : JSON.stringify(body))
  return refusal(status, status === 404 ? 'resource_not_found_exception' : 'security_exception', text)
}

export const isRefused = ({ status }: Answer): boolean => status > 299

/** A list of texts in a body; empty for anything else. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}
