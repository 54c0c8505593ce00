import { setMaxListeners } from 'node:events'
import { runSearch } from '../api/search/run-search.ts'
import type { Scope } from '../model/scope.ts'
import { systemScope } from '../security/role-scope.ts'
import type { Services } from '../services.ts'
import type { OpenServices } from './search-services.ts'

/** The parsed answer of a search in this process; `query` is the parameters of its path as they are read. What earlier searches read is not used, unless they say so. */
export async function answerOf<Answer>(
  services: OpenServices,
  expression: string,
  body: unknown,
  { query = { request_cache: false }, scope = systemScope }: { query?: Record<string, unknown>; scope?: Scope } = {},
): Promise<Answer> {
  const { signal } = new AbortController()
  // As the server does: a search has statements for each table.
  setMaxListeners(0, signal)
  // Who may search is asked before this.
  const whole = services as unknown as Services
  const json = await runSearch(whole, { scope, signal, expression, query, body, route: 'search' })
  return JSON.parse(json.toString('utf8')) as Answer
}
