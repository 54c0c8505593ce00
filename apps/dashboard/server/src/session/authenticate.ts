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

/** The caller of a request: its session, or the credentials it brought (Basic, Bearer, ApiKey). Throws `login_required`. */
export async function authenticate(headers: IncomingHttpHeaders, services: Services): Promise<Caller> {
  const { authorization } = headers
  if (authorization !== undefined) return { authorization, session: undefined }
  const id = readCookie(headers.cookie, services.cookieName)
  const session = id === undefined ? undefined : services.sessions.find(id)
  if (!session) throw new AppError(dashboardErrors.login_required, 'Log in first.')
  return { authorization: await services.sessions.authorization(session.id), session }
}

/** Proves the caller at search, and who it is. Needed wherever a route works with the dashboard's own account. */
export function identify(caller: Caller, services: Services): Promise<Identity> {
  return services.sessions.identify(caller.authorization)
}

const editorRoles = new Set(['superuser', 'kibana_admin', 'editor', 'logstack_editor'])

/** Whether someone may change saved objects. */
export function canEdit(identity: Identity): boolean {
  return identity.roles.some((role) => editorRoles.has(role))
}
