import { AppError, dashboardErrors } from '@logstack/errors'
import { z } from 'zod'
import { forward } from '../forward.ts'
import { checked, defineRoutes } from '../route.ts'
import { searchPath } from '../search-path.ts'

// One thing by its name: no wildcard, no list, nothing of search's own.
const name = '[^/_*,?][^/*,?]*'
const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const

// What the pages of Management ask for. Everything else belongs to the console, where a person typed it.
const allowed: readonly { readonly method: (typeof methods)[number]; readonly path: RegExp }[] = [
  { method: 'GET', path: /^\/_data_stream$/ },
  { method: 'DELETE', path: new RegExp(`^/_data_stream/${name}$`) },
  { method: 'PUT', path: new RegExp(`^/_data_stream/${name}/_lifecycle$`) },
  { method: 'DELETE', path: new RegExp(`^/_data_stream/${name}/_lifecycle$`) },
  { method: 'DELETE', path: new RegExp(`^/${name}$`) },
  { method: 'GET', path: /^\/(_ingest\/pipeline|_ilm\/policy|_security\/(user|role|api_key))$/ },
  { method: 'PUT', path: new RegExp(`^/(_ingest/pipeline|_ilm/policy|_security/(user|role))/${name}$`) },
  { method: 'PUT', path: new RegExp(`^/_security/user/${name}/_password$`) },
  { method: 'DELETE', path: new RegExp(`^/(_ingest/pipeline|_ilm/policy|_security/(user|role))/${name}$`) },
  { method: 'PUT', path: /^\/_security\/api_key$/ },
  { method: 'DELETE', path: /^\/_security\/api_key$/ },
  { method: 'GET', path: /^\/_security\/privilege\/_builtin$/ },
  { method: 'POST', path: /^\/_security\/user\/_has_privileges$/ },
  { method: 'POST', path: /^\/_ingest\/pipeline\/_simulate$/ },
]
const querySchema = z.object({ method: z.enum(methods), path: z.string().min(1).max(4_096) })

/** What Management looks at and changes in search, with the caller's rights. */
export const manageRoutes = defineRoutes({
  method: 'POST',
  path: '/api/manage',
  access: 'authenticated',
  async handle(call, services) {
    const { method, path: typed } = checked(call.query, querySchema, 'query')
    const path = searchPath(typed)
    const bare = path.split('?')[0] ?? path
    if (!allowed.some((entry) => entry.method === method && entry.path.test(bare))) {
      throw new AppError(dashboardErrors.search_route_refused, `pages may not send ${method} ${bare}`)
    }
    return forward(call, services, { method, path, body: call.body, contentType: 'application/json' })
  },
})
