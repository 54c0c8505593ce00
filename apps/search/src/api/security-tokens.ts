import { AppError, searchErrors } from '@logstack/errors'
import { actionOf } from '../security/actions.ts'
import { forbidden } from '../security/denied.ts'
import { type Role, readRole } from '../security/role.ts'
import type { ApiKeyInfo, IssuedToken } from '../security/security.ts'
import { defineRoute, type Route, type RouteRequest } from './define-route.ts'
import { readTime } from './parameters.ts'
import { isObject, objectBody } from './read-request.ts'
import { validationError } from './render-error.ts'
import { nameMatcher } from './show-index.ts'

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

const createToken = defineRoute({
  name: 'security.get_token',
  methods: ['POST'],
  paths: ['/_security/oauth2/token'],
  privilege: 'authenticated',
  parameters: {},
  async handle(request, { security }) {
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
    await security.checkPassword(username, password, request.path, request.address)
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

function readDescriptors(given: unknown): Record<string, Role> {
  if (!isObject(given)) return {}
  return Object.fromEntries(Object.entries(given).map(([name, role]) => [name, readRole(role)]))
}

const createApiKey = defineRoute({
  name: 'security.create_api_key',
  methods: ['PUT', 'POST'],
  paths: ['/_security/api_key'],
  privilege: { cluster: 'manage_own_api_key' },
  parameters: { refresh: ['true', 'false', 'wait_for'] },
  async handle(request, { security, now }) {
    const { name, role_descriptors, expiration, metadata } = objectBody(request.json(), 'api_key_request')
    if (typeof name !== 'string' || name === '') throw validationError('api key name is required')
    if (request.scope.principal.realm === 'api_key') {
      const reason = 'creating derived api keys requires an explicit role descriptor that is empty (has no privileges)'
      throw new AppError(searchErrors.illegal_argument_exception, reason)
    }
    const created = await security.createApiKey({
      owner: request.scope,
      name,
      roles: readDescriptors(role_descriptors),
      expiresAtMs: typeof expiration === 'string' ? now() + readTime('expiration', expiration) : undefined,
      metadata: isObject(metadata) ? metadata : {},
    })
    const json = {
      id: created.id,
      name,
      ...(created.expiresAtMs === undefined ? {} : { expiration: created.expiresAtMs }),
      api_key: created.key,
      encoded: Buffer.from(`${created.id}:${created.key}`).toString('base64'),
    }
    return { json }
  },
})

function isOwn(request: RouteRequest, key: ApiKeyInfo): boolean {
  const { username } = request.scope.principal
  return key.username === username || key.id === username
}

const showKey = (key: ApiKeyInfo) => ({
  id: key.id,
  name: key.name,
  type: 'rest',
  creation: key.createdAtMs,
  ...(key.expiresAtMs === undefined ? {} : { expiration: key.expiresAtMs }),
  invalidated: key.invalidated,
  username: key.username,
  realm: 'default_native',
  metadata: key.metadata,
  role_descriptors: key.roles,
})

const getApiKeys = defineRoute({
  name: 'security.get_api_key',
  methods: ['GET'],
  paths: ['/_security/api_key'],
  privilege: { cluster: 'manage_own_api_key' },
  parameters: {
    id: 'string',
    name: 'string',
    owner: 'boolean',
    username: 'string',
    realm_name: 'string',
    active_only: 'boolean',
    with_limited_by: 'boolean',
  },
  async handle(request, { security, now }) {
    const { id, name, owner, username, active_only } = request.query
    const all = request.scope.hasCluster('manage_api_key') && owner !== true
    const named = nameMatcher(typeof name === 'string' ? name : undefined)
    const found = security
      .apiKeys()
      .filter((key) => (all || isOwn(request, key)) && (id === undefined || key.id === id) && named(key.name))
      .filter((key) => username === undefined || key.username === username)
      .filter((key) => active_only !== true || (!key.invalidated && (key.expiresAtMs ?? Infinity) > now()))
    if (found.length === 0 && id !== undefined) {
      return { status: 404, json: { api_keys: [] } }
    }
    return { json: { api_keys: found.map(showKey) } }
  },
})

const deleteApiKeys = defineRoute({
  name: 'security.invalidate_api_key',
  methods: ['DELETE'],
  paths: ['/_security/api_key'],
  privilege: { cluster: 'manage_own_api_key' },
  parameters: {},
  async handle(request, { security }) {
    const { id, ids, name, username, owner } = objectBody(request.json(), 'invalidate_api_key')
    const wanted = Array.isArray(ids) ? ids.map(String) : id === undefined ? undefined : [String(id)]
    if (wanted === undefined && name === undefined && username === undefined && owner !== true) {
      throw validationError(
        'One of [api key id(s), api key name, username, realm name] must be specified if [owner] flag is false',
      )
    }
    const matching = security
      .apiKeys()
      .filter((key) => wanted === undefined || wanted.includes(key.id))
      .filter((key) => name === undefined || key.name === name)
      .filter((key) => username === undefined || key.username === username)
      .filter((key) => owner !== true || isOwn(request, key))
    if (!request.scope.hasCluster('manage_api_key') && !matching.every((key) => isOwn(request, key))) {
      throw forbidden(request.scope, actionOf('security.invalidate_api_key', 'cluster'), 'cluster', 'manage_api_key')
    }
    const ended = await security.invalidateApiKeys(matching.map((key) => key.id))
    const json = {
      invalidated_api_keys: ended,
      previously_invalidated_api_keys: matching.filter((key) => key.invalidated).map((key) => key.id),
      error_count: 0,
    }
    return { json }
  },
})

/** Session tokens and API keys. */
export const securityTokenRoutes: readonly Route[] = [
  createToken,
  invalidateToken,
  createApiKey,
  getApiKeys,
  deleteApiKeys,
]
