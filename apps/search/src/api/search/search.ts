import { defineRoute, type RouteRequest } from '../define-route.ts'
import { parseExactBody } from '../read-request.ts'
import { runSearch } from './run-search.ts'
import { bodyWithParameters, searchParameters } from './search-parameters.ts'

/** `_search`: hits, totals and aggregations of a query. */
export const searchRoute = defineRoute({
  name: 'search',
  methods: ['GET', 'POST'],
  paths: ['/_search', '/{index}/_search'],
  privilege: 'authenticated',
  parameters: searchParameters,
  async handle(request: RouteRequest, services) {
    const jsonBytes = await runSearch(services, {
      scope: request.scope,
      signal: request.signal,
      expression: request.params['index'] ?? '',
      query: request.query,
      body: bodyWithParameters(parseExactBody(request), request.query),
      route: 'search',
    })
    return { jsonBytes }
  },
})
