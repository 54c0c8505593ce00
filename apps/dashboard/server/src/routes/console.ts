import { z } from 'zod'
import { forward } from '../forward.ts'
import { checked, defineRoutes } from '../route.ts'
import { searchPath } from '../search-path.ts'

const querySchema = z.object({
  path: z.string().min(1).max(8_192),
  method: z
    .string()
    .toUpperCase()
    .pipe(z.enum(['GET', 'POST', 'PUT', 'DELETE', 'HEAD'])),
})

/** Dev Tools: any request, with the caller's own rights; the path is written without the address. */
export const consoleRoutes = defineRoutes({
  method: 'POST',
  path: '/api/console/proxy',
  access: 'authenticated',
  bodyBytesMax: 'import',
  async handle(call, services) {
    const { path, method } = checked(call.query, querySchema, 'query')
    const type = call.headers['content-type']
    const contentType = path.includes('_bulk') || path.includes('_msearch') ? 'application/x-ndjson' : type
    const answer = await forward(call, services, { method, path: searchPath(path), body: call.body, contentType })
    return {
      ...answer,
      headers: { ...answer.headers, 'x-console-proxy-status-code': String(answer.status ?? 200) },
    }
  },
})
