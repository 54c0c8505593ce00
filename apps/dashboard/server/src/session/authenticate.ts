import type { IncomingHttpHeaders } from 'node:http'
import { AppError, dashboardErrors } from '@logstack/errors'
import type { Services } from '../services.ts'
import { readCookie } from './cookie.ts'
import type { Session } from './store.ts'
import type { Identity } from './tokens.ts'

/** Who asks, and how their requests are made at search. */
export interface Caller {
  /** The `Authorization` header for search. */
  readonly authorization: string
  /** Present for browsers; scripts send their credentials each time. */
  readonly session: Session | undefined
}

/**
 * The caller of a request: its session, or the credentials it brought (Basic, Bearer, ApiKey), which search has to know: whoever comes with others is a
 * stranger, of whom no body is to be read. Throws `login_required`.
 */
export async function authenticate(headers: IncomingHttpHeaders, services: Services): Promise<Caller> {
  const { authorization } = headers
  if (authorization !== undefined) {
    await services.sessions.identify(authorization)
    return { authorization, session: undefined }
  }
  const id = readCookie(headers.cookie, services.cookieName)
  const session = id === undefined ? undefined : services.sessions.find(id)
  if (!session) throw new AppError(dashboardErrors.login_required, 'Log in first.')
  return { authorization: await services.sessions.authorization(session.id), session }
}

/** Who the caller is by now at search: roles of a session may have been taken away. Needed wherever a route changes something with the dashboard's own account. */
export function identify(caller: Caller, services: Services): Promise<Identity> {
  return services.sessions.identify(caller.authorization)
}

const editorRoles = new Set(['superuser', 'kibana_admin', 'editor', 'logstack_editor'])

/** Whether someone may change saved objects. */
export function canEdit(identity: Identity): boolean {
  return identity.roles.some((role) => editorRoles.has(role))
}
