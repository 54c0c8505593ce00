import { AppError, isAppError, searchErrors } from '@logstack/errors'
import type { Principal, Scope } from '../../model/scope.ts'
import { validationError } from '../../refusals/validation-error.ts'
import { actionOf } from '../../security/actions.ts'
import { auditRequest, type RequestAudit } from '../../security/audit/request-audit.ts'
import { forbidden } from '../../security/denied.ts'
import type { Security } from '../../security/security.ts'
import type { IssuedToken } from '../../security/tokens.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type Route, type RouteAnswer, type RouteRequest } from '../define-route.ts'
import { readFields, unreadable } from './read-fields.ts'
import { showAuthentication } from './show-authentication.ts'

type Body = Readonly<Record<string, unknown>>

const showToken = (issued: IssuedToken, principal: Principal, security: Pick<Security, 'user'>, { scope }: Body) => ({
  access_token: issued.accessToken,
  type: 'Bearer',
  expires_in: issued.expiresInSeconds,
  refresh_token: issued.refreshToken,
  ...(scope === undefined ? {} : { scope: String(scope).toLowerCase() }),
  authentication: showAuthentication(principal, security),
})

/** OAuth's error form, which this endpoint has instead of Elasticsearch's. */
const grantError = (error: string, error_description: string): RouteAnswer => ({
  status: 400,
  json: { error, error_description },
})

/** What each kind of grant takes; all of it is needed. */
const grants: Readonly<Record<string, readonly string[]>> = {
  password: ['username', 'password'],
  _kerberos: ['kerberos_ticket'],
  refresh_token: ['refresh_token'],
  client_credentials: [],
}

const tokenFields = {
  grant_type: 'text',
  username: 'text',
  password: 'text',
  refresh_token: 'text',
  kerberos_ticket: 'text',
  scope: 'text',
} as const

/** What is wrong with a request for a token; undefined when nothing is. */
function refusalOf(body: Body): RouteAnswer | undefined {
  const type = String(body['grant_type'])
  const failed = (error: string, faults: readonly string[]) => grantError(error, validationError(...faults).message)
  const takes = Object.hasOwn(grants, type) ? grants[type] : undefined
  if (!takes)
    return failed('unsupported_grant_type', [
      `grant_type only supports the values: [${Object.keys(grants).join(', ')}]`,
    ])
  const named = ['username', 'password', 'kerberos_ticket', 'refresh_token']
  const tooMuch = named.filter((name) => !takes.includes(name) && body[name] !== undefined)
  if (tooMuch.length > 0)
    return failed(
      'unsupported_grant_type',
      tooMuch.map((name) => `${name} is not supported with the ${type} grant_type`),
    )
  const missing = takes.filter((name) => !body[name])
  if (missing.length > 0)
    return failed(
      'invalid_request',
      missing.map((name) => `${name} is missing`),
    )
  if (type === '_kerberos') return grantError('unsupported_grant_type', 'there is no realm of Kerberos here')
  if (body['scope'] !== undefined && String(body['scope']).toLowerCase() !== 'full')
    return grantError('invalid_scope', 'the only scope is [full]')
  return undefined
}

/** Throws 403 for who may not have tokens made. A session of one's own by one's own password anybody may have: it gives nothing that the password does not. */
function requireTokens({ scope }: RouteRequest, body: Body): void {
  const { username, realm, runBy } = scope.principal
  const byPassword = realm === 'native' || realm === 'reserved'
  if (body['grant_type'] === 'password' && body['username'] === username && byPassword && !runBy) return
  const action = actionOf(`security.${body['grant_type'] === 'refresh_token' ? 'refresh' : 'get'}_token`, 'cluster')
  if (!scope.hasCluster(action)) throw forbidden(scope, action, 'cluster', action)
}

function auditOf({ method, path, address = '', taskHeaders }: RouteRequest, { audit }: Services): RequestAudit {
  const opaqueId = taskHeaders['X-Opaque-Id']
  return auditRequest(audit, { method, path, rawQuery: '', address, authorization: undefined, opaqueId })
}

const asking = { action: actionOf('security.get_token', 'cluster') }

async function byPassword(
  request: RouteRequest,
  services: Services,
  username: string,
  password: string,
): Promise<Scope> {
  try {
    return await services.security.checkPassword(username, password, asking, request.address)
  } catch (thrown) {
    auditOf(request, services).failedAs(username, thrown)
    throw thrown
  }
}

const createToken = defineRoute({
  name: 'security.get_token',
  methods: ['POST'],
  paths: ['/_security/oauth2/token'],
  privilege: 'authenticated',
  parameters: {},
  async handle(request, services) {
    const { security } = services
    const body = readFields('token_request', request.json(), tokenFields)
    const refused = refusalOf(body)
    if (refused) return refused
    requireTokens(request, body)
    const { grant_type, username, password, refresh_token } = body
    const { principal } = request.scope
    if (grant_type === 'refresh_token') return refreshed(security, String(refresh_token), body)
    if (grant_type === 'client_credentials') {
      if (principal.realm === 'api_key' || principal.realm === 'service')
        return grantError(
          'unauthorized_client',
          'API keys and service accounts cannot have tokens here: send them as they are',
        )
      const issued = await security.issueToken(principal.username)
      const { refresh_token: _none, ...json } = showToken(issued, principal, security, body)
      return { json }
    }
    const scope = await byPassword(request, services, String(username), String(password))
    const issued = await security.issueToken(scope.principal.username)
    return { json: showToken(issued, scope.principal, security, body) }
  },
})

async function refreshed(security: Security, refreshToken: string, body: Body): Promise<RouteAnswer> {
  try {
    const issued = await security.refreshToken(refreshToken)
    return { json: showToken(issued, issued.principal, security, body) }
  } catch (thrown) {
    if (!isInvalidGrant(thrown)) throw thrown
    return grantError(thrown.code, thrown.message)
  }
}

function isInvalidGrant(thrown: unknown): thrown is AppError {
  return isAppError(thrown) && thrown.code === 'invalid_grant'
}

const invalidateFields = { token: 'text', refresh_token: 'text', realm_name: 'text', username: 'text' } as const

const invalidateToken = defineRoute({
  name: 'security.invalidate_token',
  methods: ['DELETE'],
  paths: ['/_security/oauth2/token'],
  privilege: { cluster: 'manage_token' },
  parameters: {},
  async handle(request, { security }) {
    const what = 'invalidate_token'
    const { token, refresh_token, realm_name: realm, username } = readFields(what, request.json(), invalidateFields)
    if (token !== undefined && refresh_token !== undefined)
      throw unreadable(
        `Failed to build [${what}] after last required field arrived`,
        new AppError(
          searchErrors.illegal_argument_exception,
          'only one of [token, refresh_token] may be sent per request',
        ),
      )
    const byUser = realm !== undefined || username !== undefined
    const given = token ?? refresh_token
    if (byUser && given !== undefined)
      throw validationError(
        'token string must not be provided when realm name or username is specified',
        'token type must not be provided when realm name or username is specified',
      )
    if (!byUser && !given)
      throw validationError('token string must be provided when not specifying a realm name or a username')
    const ended = byUser
      ? await security.invalidateTokensOf({ username: text(username), realm: text(realm) })
      : await security.invalidateToken(String(given), token === undefined ? 'refresh' : 'access')
    // Those that ended before are not kept, so nobody knows how many they were.
    const json = { invalidated_tokens: ended, previously_invalidated_tokens: 0, error_count: 0 }
    return { status: ended === 0 && !byUser ? 404 : 200, json }
  },
})

function text(given: unknown): string | undefined {
  return given === undefined ? undefined : String(given)
}

/** Session tokens. */
export const securityTokenRoutes: readonly Route[] = [createToken, invalidateToken]
