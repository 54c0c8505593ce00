import { AppError, agentsErrors, isAppError } from '@logstack/errors'
import type { SearchClient } from '@logstack/search-client'
import type { Route, RouteCall } from './define-route.ts'

/** One request of an administrator: `by` is their name, `id` what the path names (empty where it names nothing). */
interface AdministratorCall extends Omit<RouteCall, 'authorization' | 'parameters'> {
  readonly by: string
  readonly id: string
}

/** Declares a route of administrators. Its handler is never reached by others. */
export function administratorRoute({
  handle,
  ...route
}: Pick<Route, 'method' | 'path'> & { handle(call: AdministratorCall): Promise<unknown> }): Route {
  return {
    ...route,
    access: 'administrator',
    async handle({ authorization, parameters, ...call }) {
      const by = await requireAdministrator(call.services.asCaller, authorization)
      return handle({ ...call, by, id: parameters['id'] ?? '' })
    },
  }
}

/**
 * Asks search who the caller is, with the caller's own credentials, and whether they may manage the stack. Returns their name; throws
 * `agent_unauthenticated` or `admin_forbidden`.
 */
async function requireAdministrator(search: SearchClient, authorization: string | undefined): Promise<string> {
  if (authorization === undefined) throw unauthenticated()
  const headers = { authorization }
  const caller = await whoIs(search, headers)
  if (caller.roles.includes('superuser')) return caller.username
  const { body } = await search.request<{ has_all_requested?: boolean }>({
    method: 'POST',
    path: '/_security/user/_has_privileges',
    headers,
    body: { cluster: ['manage'] },
    accept: [400, 403, 404],
  })
  if (body.has_all_requested === true) return caller.username
  throw new AppError(agentsErrors.admin_forbidden, `user [${caller.username}] may not manage agents`, {
    fix: 'log in as an administrator',
  })
}

async function whoIs(search: SearchClient, headers: Record<string, string>) {
  try {
    const { body } = await search.request<{ username?: string; roles?: string[] }>({
      method: 'GET',
      path: '/_security/_authenticate',
      headers,
    })
    return { username: body.username ?? '', roles: body.roles ?? [] }
  } catch (thrown) {
    if (isAppError(thrown) && thrown.kind === 'unauthenticated') throw unauthenticated()
    throw thrown
  }
}

function unauthenticated(): AppError {
  return new AppError(agentsErrors.agent_unauthenticated, 'this needs the credentials of an administrator')
}
