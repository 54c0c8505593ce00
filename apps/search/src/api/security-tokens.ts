import { auditRequest, type RequestAudit } from '../security/audit/request-audit.ts'
import type { IssuedToken } from '../security/security.ts'
import type { Services } from '../services.ts'
import { defineRoute, type Route, type RouteRequest } from './define-route.ts'
import { objectBody } from './read-request.ts'
import { validationError } from './render-error.ts'

const showToken = (issued: IssuedToken, username: string) => ({
  access_token: issued.accessToken,
  type: 'Bearer',
  expires_in: issued.expiresInSeconds,
  refresh_token: issued.refreshToken,
  authentication: { username, authentication_type: 'token' },
})

/** OAuth's error form, which this endpoint has instead of Elasticsearch's. */
const grantError = (error: string, error_description: string, status = 400) => ({
  status,
  json: { error, error_description },
})

function auditOf({ method, path, address = '', taskHeaders }: RouteRequest, { audit }: Services): RequestAudit {
  const opaqueId = taskHeaders['X-Opaque-Id']
  return auditRequest(audit, { method, path, rawQuery: '', address, authorization: undefined, opaqueId })
}

const createToken = defineRoute({
  name: 'security.get_token',
  methods: ['POST'],
  paths: ['/_security/oauth2/token'],
  privilege: 'authenticated',
  parameters: {},
  async handle(request, services) {
    const { security } = services
    const body = objectBody(request.json(), 'token_request')
    const { grant_type, username, password, refresh_token } = body
    const { principal } = request.scope
    if (grant_type === 'refresh_token') {
      if (typeof refresh_token !== 'string') throw validationError('refresh_token is missing')
      const issued = await security.refreshToken(refresh_token)
      return { json: showToken(issued, issued.username) }
    }
    if (grant_type === 'client_credentials') {
      if (principal.realm === 'api_key') return grantError('unauthorized_client', 'an API key cannot have tokens')
      const issued = await security.issueToken(principal.username)
      const { refresh_token: _none, ...json } = showToken(issued, principal.username)
      return { json }
    }
    if (grant_type !== 'password') {
      return grantError('unsupported_grant_type', `grant_type [${String(grant_type)}] is not supported`)
    }
    if (typeof username !== 'string' || typeof password !== 'string')
      throw validationError('username and password are needed')
    // Whoever may ask here names the user by that user's own password, so nothing is gained but what the password gives.
    try {
      await security.checkPassword(username, password, request.path, request.address)
    } catch (thrown) {
      auditOf(request, services).failedAs(username, thrown)
      throw thrown
    }
    return { json: showToken(await security.issueToken(username), username) }
  },
})

const invalidateToken = defineRoute({
  name: 'security.invalidate_token',
  methods: ['DELETE'],
  paths: ['/_security/oauth2/token'],
  privilege: 'authenticated',
  parameters: {},
  async handle(request, { security }) {
    const { token, refresh_token } = objectBody(request.json(), 'invalidate_token')
    const given = token ?? refresh_token
    if (typeof given !== 'string') throw validationError('one of [token, refresh_token] is needed')
    const ended = await security.invalidateToken(given)
    return { json: { invalidated_tokens: ended, previously_invalidated_tokens: ended > 0 ? 0 : 1, error_count: 0 } }
  },
})

/** Session tokens. */
export const securityTokenRoutes: readonly Route[] = [createToken, invalidateToken]
