import type { SearchRequest } from '@logstack/search-client'
import type { Answer, Call } from './route.ts'
import { callerOf } from './route.ts'
import type { Services } from './services.ts'

// Headers of search's answer that are passed on; all others end here.
const passedOn = ['content-type', 'x-elastic-product', 'warning', 'retry-after']

/**
 * Sends one request to search with the caller's own rights and answers its bytes, whatever the status. The request is dropped when
 * the browser goes away. The status is repeated in a header, so that a page can tell search's 401 from the end of its session.
 */
export async function forward(
  call: Call,
  services: Services,
  request: { method: SearchRequest['method']; path: string; body: Buffer; contentType: string | undefined },
): Promise<Answer> {
  const { method, path, body } = request
  const answer = await services.search.requestBytes({
    method,
    path,
    ...(body.length > 0 ? { body, contentType: request.contentType ?? 'application/json' } : {}),
    headers: { authorization: callerOf(call).authorization, accept: '*/*' },
    signal: call.signal,
    timeoutMs: services.settings.get('search.timeout_ms'),
  })
  const headers: Record<string, string> = { 'x-search-status': String(answer.status) }
  for (const name of passedOn) {
    const value = answer.headers[name]
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return { status: answer.status, bytes: answer.body, headers }
}
