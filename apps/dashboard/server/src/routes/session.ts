import { isAppError } from '@logstack/errors'
import { z } from 'zod'
import type { SessionInfo } from '../api-types.ts'
import { type Call, defineRoutes, readBody } from '../route.ts'
import type { Services } from '../services.ts'
import { canEdit } from '../session/authenticate.ts'
import { readCookie, sessionCookie } from '../session/cookie.ts'
import type { Session } from '../session/store.ts'

const loginSchema = z.object({ username: z.string().min(1).max(507), password: z.string().min(1).max(1_024) })

/** Login, logout, and who is logged in. */
export const sessionRoutes = defineRoutes(
  {
    method: 'POST',
    path: '/api/session',
    access: 'anonymous',
    bodyBytesMax: 8_192,
    async handle(call, services) {
      const { username, password } = readBody(call, loginSchema)
      const session = await openSession(username, password, call, services)
      const before = readCookie(call.headers.cookie, services.cookieName)
      if (before !== undefined) await services.sessions.close(before)
      return {
        json: infoOf(session, services),
        headers: { 'set-cookie': sessionCookie(services.cookieName, session.id) },
      }
    },
  },
  {
    method: 'GET',
    path: '/api/session',
    access: 'anonymous',
    // Nobody being logged in is an answer, not an error: browsers note every 401 in their console.
    async handle(call, services) {
      const id = readCookie(call.headers.cookie, services.cookieName)
      const session = id === undefined ? undefined : services.sessions.find(id)
      return { json: session ? infoOf(session, services) : null }
    },
  },
  {
    method: 'DELETE',
    path: '/api/session',
    access: 'anonymous',
    async handle(call, services) {
      const id = readCookie(call.headers.cookie, services.cookieName)
      if (id !== undefined) await services.sessions.close(id)
      return { json: {}, headers: { 'set-cookie': sessionCookie(services.cookieName, undefined) } }
    },
  },
)

async function openSession(username: string, password: string, call: Call, services: Services): Promise<Session> {
  const { sessions, loginLimit, logger } = services
  const who = { user: username, address: call.address }
  return loginLimit.attempt(username, call.address, async () => {
    try {
      const session = await sessions.open(username, password)
      logger.info(who, 'logged in')
      return session
    } catch (thrown) {
      if (isAppError(thrown) && thrown.code === 'login_failed') logger.warn(who, 'login failed')
      throw thrown
    }
  })
}

function infoOf(session: Session, services: Services): SessionInfo {
  const searchUrl = services.settings.get('search.public_url').replace(/\/+$/, '')
  const { identity, expiresAtMs } = session
  return {
    username: identity.username,
    roles: identity.roles,
    canEdit: canEdit(identity),
    ...(searchUrl === '' ? {} : { searchUrl }),
    expiresAt_ms: expiresAtMs,
  }
}
