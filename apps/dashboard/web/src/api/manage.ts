import { request } from './client.ts'

/** Sends what Management may ask of search, with the user's own rights. */
export function manage<T>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  options: { readonly json?: unknown; readonly signal?: AbortSignal } = {},
): Promise<T> {
  return request('api/manage', { method: 'POST', query: { method, path }, ...options })
}
