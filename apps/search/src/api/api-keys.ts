import { AppError, isAppError, searchErrors } from '@logstack/errors'
import { scalarText } from '../indices/scalar-text.ts'
import { actionOf } from '../security/actions.ts'
import { forbidden } from '../security/denied.ts'
import type { ApiKeyInfo, Security } from '../security/security.ts'
import { defineRoute, type Route, type RouteRequest } from './define-route.ts'
import { queryRecords, type RecordKind } from './query-records.ts'
import { readKeyChange, readNewKey, realmOf, refuseOthers, showKey, showNewKey } from './read-api-key.ts'
import { objectBody } from './read-request.ts'
import { renderCause, validationError } from './render-error.ts'
import { nameMatcher } from './show-index.ts'

const refresh = { refresh: ['true', 'false', 'wait_for'] } as const
const ownKeys = { cluster: 'manage_own_api_key' } as const

const create = defineRoute({
  name: 'security.create_api_key',
  methods: ['PUT', 'POST'],
  paths: ['/_security/api_key'],
  privilege: ownKeys,
  parameters: refresh,
  async handle(request, { security, now }) {
    const asked = readNewKey(objectBody(request.json(), 'api_key_request'), now())
    const { realm } = request.scope.principal
    const isEmpty = Object.values(asked.roles).every((role) => role.cluster.length + role.indices.length === 0)
    if (realm === 'api_key' && (Object.keys(asked.roles).length === 0 || !isEmpty)) {
      const reason = 'creating derived api keys requires an explicit role descriptor that is empty (has no privileges)'
      throw new AppError(searchErrors.illegal_argument_exception, reason)
    }
    return { json: showNewKey(await security.createApiKey({ owner: request.scope, ...asked })) }
  },
})

const grant = defineRoute({
  name: 'security.grant_api_key',
  methods: ['POST'],
  paths: ['/_security/api_key/grant'],
  privilege: { cluster: 'grant_api_key' },
  parameters: refresh,
  async handle(request, { security, now }) {
    const body = objectBody(request.json(), 'grant_api_key_request')
    const { grant_type, username, password, access_token, api_key, run_as } = body
    refuseOthers(body, 'grant_api_key_request', [
      ...['api_key', 'grant_type', 'username', 'password', 'access_token', 'run_as'],
    ])
    const asked = readNewKey(objectBody(api_key, 'api_key'), now())
    const named = await grantedFor(request, security, { grant_type, username, password, access_token })
    const owner = run_as === undefined ? named : security.runAs(named, String(run_as), request.path)
    return { json: showNewKey(await security.createApiKey({ owner, ...asked })) }
  },
})

async function grantedFor(
  request: RouteRequest,
  security: Security,
  { grant_type, username, password, access_token }: Readonly<Record<string, unknown>>,
) {
  if (grant_type === 'password') {
    if (typeof username !== 'string' || typeof password !== 'string')
      throw validationError('username and password are needed for grant_type [password]')
    return security.checkPassword(username, password, request.path, request.address)
  }
  if (grant_type !== 'access_token') throw validationError(`grant_type [${String(grant_type)}] is not supported`)
  if (typeof access_token !== 'string') throw validationError('access_token is needed for grant_type [access_token]')
  return security.authenticate(`Bearer ${access_token}`, request.path, request.address)
}

/** The keys of others are shown to, and ended by, whoever manages them all. A key's own are itself and those it made. */
function isOwn({ scope: { principal } }: RouteRequest, key: ApiKeyInfo): boolean {
  const { username, apiKey } = principal
  return apiKey ? key.id === apiKey.id || key.madeBy === apiKey.id : key.username === username
}

const get = defineRoute({
  name: 'security.get_api_key',
  methods: ['GET'],
  paths: ['/_security/api_key'],
  privilege: ownKeys,
  parameters: {
    id: 'string',
    name: 'string',
    owner: 'boolean',
    username: 'string',
    realm_name: 'string',
    active_only: 'boolean',
    with_limited_by: 'boolean',
    with_profile_uid: 'boolean',
  },
  async handle(request, { security, now }) {
    const { id, name, owner, username, realm_name, active_only, with_limited_by } = request.query
    const all = seesAll(request) && owner !== true
    const named = nameMatcher(typeof name === 'string' ? name : undefined)
    const candidates = typeof id === 'string' ? [security.apiKey(id) ?? []].flat() : security.apiKeys()
    const found = candidates
      .filter((key) => (all || isOwn(request, key)) && named(key.name))
      .filter((key) => username === undefined || key.username === username)
      .filter((key) => realm_name === undefined || realmOf(security, key) === realm_name)
      .filter((key) => active_only !== true || (!key.invalidated && (key.expiresAtMs ?? Infinity) > now()))
    if (found.length === 0 && id !== undefined) return { status: 404, json: { api_keys: [] } }
    return { json: { api_keys: found.map((key) => showKey(security, key, with_limited_by === true)) } }
  },
})

function seesAll({ scope }: RouteRequest): boolean {
  return scope.hasCluster('manage_api_key') || scope.hasCluster('read_security')
}

const [keyword, date] = [{ type: 'keyword' }, { type: 'date' }]
const queriedKeys: RecordKind = {
  request: 'query_api_key_request',
  what: 'API Key',
  properties: {
    ...{ id: keyword, name: keyword, type: keyword, username: keyword, realm: keyword },
    ...{ creation: date, expiration: date, invalidation: date, invalidated: { type: 'boolean' } },
  },
  open: 'metadata',
}

const query = defineRoute({
  name: 'security.query_api_keys',
  methods: ['GET', 'POST'],
  paths: ['/_security/_query/api_key'],
  privilege: ownKeys,
  parameters: { with_limited_by: 'boolean', typed_keys: 'boolean', with_profile_uid: 'boolean' },
  async handle(request, { security, now }) {
    const visible = security.apiKeys().filter((key) => seesAll(request) || isOwn(request, key))
    const listed = visible.map((key) => ({ record: key, id: key.id, source: showKey(security, key) }))
    const { total, found } = queryRecords(queriedKeys, listed, request.json(), now())
    const withLimitedBy = request.query['with_limited_by'] === true
    const api_keys = found.map(({ record: key, sort }) => ({
      ...showKey(security, key, withLimitedBy),
      ...(sort === undefined ? {} : { _sort: sort }),
    }))
    return { json: { total, count: api_keys.length, api_keys } }
  },
})

function refuseKey({ scope }: RouteRequest): void {
  if (scope.principal.realm !== 'api_key') return
  const reason = 'authentication via API key not supported: only the owner user can update an API key'
  throw new AppError(searchErrors.illegal_argument_exception, reason)
}

const changed = ['role_descriptors', 'metadata', 'expiration'] as const

const update = defineRoute({
  name: 'security.update_api_key',
  methods: ['PUT'],
  paths: ['/_security/api_key/{id}'],
  privilege: ownKeys,
  parameters: {},
  async handle(request, { security, now }) {
    refuseKey(request)
    const body = request.body.length === 0 ? {} : objectBody(request.json(), 'update_api_key_request')
    refuseOthers(body, 'update_api_key_request_payload', changed)
    const updated = await security.updateApiKey(request.scope, request.params['id'] ?? '', readKeyChange(body, now()))
    return { json: { updated } }
  },
})

const bulkUpdate = defineRoute({
  name: 'security.bulk_update_api_keys',
  methods: ['POST'],
  paths: ['/_security/api_key/_bulk_update'],
  privilege: ownKeys,
  parameters: {},
  async handle(request, { security, now }) {
    refuseKey(request)
    const body = objectBody(request.json(), 'bulk_update_api_key_request')
    refuseOthers(body, 'bulk_update_api_key_request', ['ids', ...changed])
    const { ids } = body
    if (!Array.isArray(ids) || ids.length === 0) throw validationError('Field [ids] cannot be empty')
    const change = readKeyChange(body, now())
    const answer = { updated: [] as string[], noops: [] as string[], errors: {} as Record<string, unknown> }
    for (const id of new Set(ids.map(scalarText))) {
      try {
        const list = (await security.updateApiKey(request.scope, id, change)) ? answer.updated : answer.noops
        list.push(id)
      } catch (thrown) {
        // One key's fault is its own.
        if (!isAppError(thrown)) throw thrown
        answer.errors[id] = renderCause(thrown)
      }
    }
    const { errors, ...rest } = answer
    const count = Object.keys(errors).length
    return { json: count === 0 ? rest : { ...rest, errors: { count, details: errors } } }
  },
})

const invalidate = defineRoute({
  name: 'security.invalidate_api_key',
  methods: ['DELETE'],
  paths: ['/_security/api_key'],
  privilege: ownKeys,
  parameters: {},
  async handle(request, { security }) {
    const body = objectBody(request.json(), 'invalidate_api_key')
    refuseOthers(body, 'invalidate_api_key', ['id', 'ids', 'name', 'realm_name', 'username', 'owner'])
    const matching = selected(request, security, body)
    if (!request.scope.hasCluster('manage_api_key') && !matching.every((key) => isOwn(request, key))) {
      throw forbidden(request.scope, actionOf('security.invalidate_api_key', 'cluster'), 'cluster', 'manage_api_key')
    }
    const ended = await security.invalidateApiKeys(matching.map((key) => key.id))
    const before = matching.filter((key) => key.invalidated).map((key) => key.id)
    return { json: { invalidated_api_keys: ended, previously_invalidated_api_keys: before, error_count: 0 } }
  },
})

/** The keys that all selectors of a body mean. */
function selected(
  request: RouteRequest,
  security: Security,
  { id, ids, name, realm_name, username, owner }: Readonly<Record<string, unknown>>,
): readonly ApiKeyInfo[] {
  const wanted = Array.isArray(ids) ? ids.map(scalarText) : id === undefined ? undefined : [scalarText(id)]
  const others = [name, realm_name, username].filter((one) => one !== undefined)
  if (wanted === undefined && others.length === 0 && owner !== true)
    throw validationError(
      'One of [api key id(s), api key name, username, realm name] must be specified if [owner] flag is false',
    )
  if (wanted !== undefined && others.length > 0)
    throw validationError(
      'username, realm name or api key name must not be specified when the api key id(s) are specified',
    )
  if (owner === true && (username !== undefined || realm_name !== undefined))
    throw validationError('neither username nor realm-name may be specified when invalidating owned API keys')
  const candidates = wanted === undefined ? security.apiKeys() : wanted.flatMap((each) => security.apiKey(each) ?? [])
  return candidates
    .filter((key) => name === undefined || key.name === name)
    .filter((key) => username === undefined || key.username === username)
    .filter((key) => realm_name === undefined || realmOf(security, key) === realm_name)
    .filter((key) => owner !== true || isOwn(request, key))
}

/** API keys: made for oneself or for another, changed, found and ended. */
export const apiKeyRoutes: readonly Route[] = [create, grant, get, query, update, bulkUpdate, invalidate]
