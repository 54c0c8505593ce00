import { AppError, dashboardErrors } from '@logstack/errors'
import { z } from 'zod'
import { forward } from '../forward.ts'
import { checked, defineRoutes } from '../route.ts'
import { searchPath } from '../search-path.ts'

interface AllowedRequest {
  readonly method: 'GET' | 'POST'
  readonly path: RegExp
}

// What the pages themselves ask for. Everything else belongs to the console, where a person typed it.
const allowed: readonly AllowedRequest[] = [
  { method: 'POST', path: /^\/([^/_][^/]*\/)?_(search|msearch|count)$/ },
  { method: 'POST', path: /^\/_query$/ },
  { method: 'GET', path: /^\/[^/_][^/]*\/(_field_caps|_mapping)$/ },
  // With a body: the fields that an index pattern calculates.
  { method: 'POST', path: /^\/[^/_][^/]*\/_field_caps$/ },
  { method: 'GET', path: /^\/[^/_][^/]*\/_doc\/[^/]+$/ },
  { method: 'GET', path: /^\/_cluster\/health$/ },
  { method: 'GET', path: /^\/_cat\/(indices|shards)$/ },
  { method: 'GET', path: /^\/_resolve\/index\/[^/]+$/ },
]
const querySchema = z.object({ path: z.string().min(1).max(8_192) })

/** The pages' own searches, with the caller's rights; dropped at search when the browser goes away. */
export const searchRoutes = defineRoutes({
  method: 'POST',
  path: '/api/search',
  access: 'authenticated',
  async handle(call, services) {
    const path = searchPath(checked(call.query, querySchema, 'query').path)
    const method = call.body.length > 0 ? 'POST' : 'GET'
    const bare = path.split('?')[0] ?? path
    if (!allowed.some((entry) => entry.method === method && entry.path.test(bare))) {
      throw new AppError(dashboardErrors.search_route_refused, `pages may not send ${method} ${bare}`)
    }
    const contentType = bare.endsWith('/_msearch') ? 'application/x-ndjson' : 'application/json'
    return forward(call, services, { method, path, body: call.body, contentType })
  },
})
