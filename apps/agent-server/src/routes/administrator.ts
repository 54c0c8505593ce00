import { AppError, agentsErrors, isAppError } from '@logstack/errors'
import type { SearchClient } from '@logstack/search-client'

/**
 * Asks search who the caller is, with the caller's own credentials, and whether they may manage the stack. Returns their name; throws
 * `agent_unauthenticated` or `admin_forbidden`.
 */
export async function requireAdministrator(search: SearchClient, authorization: string | undefined): Promise<string> {
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
