import { AppError, isAppError, searchErrors } from '@logstack/errors'
import type { Scope } from '../../model/scope.ts'
import { validationError } from '../../refusals/validation-error.ts'
import { actionOf } from '../../security/actions.ts'
import { forbidden } from '../../security/denied.ts'
import type { Role } from '../../security/role.ts'
import type { ApiKeyInfo, Security } from '../../security/security.ts'
import { scalarText } from '../../values/scalar-text.ts'
import { defineRoute, type Route, type RouteRequest } from '../define-route.ts'
import { renderCause } from '../render-error.ts'
import { nameMatcher } from '../resources/show-index.ts'
import { queryRecords, type RecordKind } from './query-records.ts'
import { keyFields, readKeyChange, readNewKey, realmOf, showKey, showNewKey } from './read-api-key.ts'
import { readFields, required, unreadable, within } from './read-fields.ts'

const refresh = { refresh: ['true', 'false', 'wait_for'] } as const
const ownKeys = { cluster: 'manage_own_api_key' } as const

const create = defineRoute({
  name: 'security.create_api_key',
  methods: ['PUT', 'POST'],
  paths: ['/_security/api_key'],
  privilege: ownKeys,
  parameters: refresh,
  async handle(request, { security, now }) {
    const asked = readNewKey(request.json(), now())
    const { realm } = request.scope.principal
    const roles = Object.values(asked.roles)
    if (realm === 'api_key' && (roles.length === 0 || !roles.every(grantsNothing))) {
      const reason = 'creating derived api keys requires an explicit role descriptor that is empty (has no privileges)'
      throw new AppError(searchErrors.illegal_argument_exception, reason)
    }
    return { json: showNewKey(await security.createApiKey({ owner: request.scope, ...asked })) }
  },
})

function grantsNothing({ cluster, indices, applications, run_as }: Role): boolean {
  return cluster.length + indices.length + applications.length + run_as.length === 0
}

const grantRequest = 'grant_api_key_request'
const grantFields = {
  grant_type: 'text',
  username: 'text',
  password: 'text',
  access_token: 'text',
  run_as: 'text',
  api_key: 'object',
} as const

const grant = defineRoute({
  name: 'security.grant_api_key',
  methods: ['POST'],
  paths: ['/_security/api_key/grant'],
  privilege: { cluster: 'grant_api_key' },
  parameters: refresh,
  async handle(request, { security, now }) {
    const body = readFields(grantRequest, request.json(), grantFields)
    const { api_key: key, run_as } = body
    const asked = key === undefined ? undefined : within(grantRequest, 'api_key', () => readNewKey(key, now()))
    const faults = [...(asked ? [] : ['api key name is required']), ...grantFaults(body)]
    if (faults.length > 0 || !asked) throw validationError(...faults)
    const named = await grantedFor(request, security, body)
    const owner = run_as === undefined ? named : security.runAs(named, String(run_as), asUser)
    return { json: showNewKey(await security.createApiKey({ owner, ...asked })) }
  },
})

const asUser = { action: actionOf('security.authenticate', 'cluster') }

/** What each kind of grant needs. */
const grantNeeds: Readonly<Record<string, readonly string[]>> = {
  password: ['username', 'password'],
  access_token: ['access_token'],
}

function grantFaults(body: Readonly<Record<string, unknown>>): string[] {
  const { grant_type: type } = body
  if (type === undefined) return ['[grant_type] is required']
  const needs = grantNeeds[String(type)]
  if (!needs) return [`grant_type [${String(type)}] is not supported`]
  return ['username', 'password', 'access_token'].flatMap((name) => {
    if (needs.includes(name)) return body[name] ? [] : [`[${name}] is required for grant_type [${String(type)}]`]
    return body[name] === undefined ? [] : [`[${name}] is not supported for grant_type [${String(type)}]`]
  })
}

async function grantedFor(
  request: RouteRequest,
  security: Security,
  { grant_type, username, password, access_token }: Readonly<Record<string, unknown>>,
): Promise<Scope> {
  try {
    if (grant_type === 'password')
      return await security.checkPassword(String(username), String(password), asking, request.address)
    return await security.authenticate(`Bearer ${String(access_token)}`, request.path, request.address)
  } catch (thrown) {
    if (!isAppError(thrown) || thrown.code !== 'security_exception') throw thrown
    // The caller is known: it is who the key would be for that is not.
    const entry = { ...searchErrors.security_exception, kind: 'forbidden' } as const
    throw new AppError(entry, 'Failed to authenticate api key grant', { cause: thrown })
  }
}

const asking = { action: actionOf('security.grant_api_key', 'cluster') }

/** The keys of others are shown to, and ended by, whoever manages them all. A key's own are itself and those it made. */
function isOwn({ scope: { principal } }: RouteRequest, key: ApiKeyInfo): boolean {
  const { username, apiKey } = principal
  return apiKey
    ? key.id === apiKey.id || key.madeBy === apiKey.id
    : key.username === username && key.madeBy === undefined
}

const get = defineRoute({
  name: 'security.get_api_key',
  methods: ['GET'],
  paths: ['/_security/api_key'],
  privilege: 'authenticated',
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
    const { id, name, owner, username, realm_name, active_only, with_limited_by } = given(request.query)
    const faults = filterFaults({ id, name, owner, username, realm_name })
    if (faults.length > 0) throw validationError(...faults)
    requireOwn(request, 'security.get_api_key', owner === true && !request.scope.principal.apiKey)
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

/** Parameters without those that are empty. */
function given(query: RouteRequest['query']): RouteRequest['query'] {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
}

function filterFaults({ id, name, owner, username, realm_name }: Readonly<Record<string, unknown>>): string[] {
  const byUser = username !== undefined || realm_name !== undefined
  return [
    ...(byUser && (id !== undefined || name !== undefined)
      ? ['username or realm name must not be specified when the api key id or api key name is specified']
      : []),
    ...(byUser && owner === true
      ? ['neither username nor realm-name may be specified when retrieving owned API keys']
      : []),
    ...(id !== undefined && name !== undefined ? ['only one of [api key id, api key name] can be specified'] : []),
  ]
}

/** Throws 403 for who may see neither all keys nor its own. */
function requireOwn(request: RouteRequest, route: string, onlyOwn: boolean): void {
  if (seesAll(request) || request.scope.hasCluster('manage_own_api_key')) return
  const action = actionOf(route, 'cluster')
  throw forbidden(request.scope, action, 'cluster', action, [], onlyOwn ? ['manage_own_api_key'] : [])
}

function seesAll({ scope }: RouteRequest): boolean {
  return scope.hasCluster('manage_api_key') || scope.hasCluster('read_security')
}

const [keyword, date] = [{ type: 'keyword' }, { type: 'date' }]
const queriedKeys: RecordKind = {
  request: 'query_api_key_request',
  what: 'API Key',
  properties: {
    ...{ id: keyword, name: keyword, type: keyword, username: keyword, realm_name: keyword },
    ...{ creation: date, expiration: date, invalidation: date, invalidated: { type: 'boolean' } },
  },
  open: 'metadata',
  aggregates: true,
}

const query = defineRoute({
  name: 'security.query_api_keys',
  methods: ['GET', 'POST'],
  paths: ['/_security/_query/api_key'],
  privilege: 'authenticated',
  parameters: { with_limited_by: 'boolean', typed_keys: 'boolean', with_profile_uid: 'boolean' },
  async handle(request, { security, now }) {
    requireOwn(request, 'security.query_api_keys', false)
    const visible = security.apiKeys().filter((key) => seesAll(request) || isOwn(request, key))
    const listed = visible.map((key) => {
      const shown = showKey(security, key)
      return { record: key, id: key.id, source: { ...shown, realm_name: shown.realm } }
    })
    const typedKeys = request.query['typed_keys'] === true
    const { total, found, aggregations } = queryRecords(queriedKeys, listed, request.json(), now(), { typedKeys })
    const withLimitedBy = request.query['with_limited_by'] === true
    const api_keys = found.map(({ record: key, sort }) => ({
      ...showKey(security, key, withLimitedBy),
      ...(sort === undefined ? {} : { _sort: sort }),
    }))
    return { json: { total, count: api_keys.length, api_keys, ...(aggregations ? { aggregations } : {}) } }
  },
})

function refuseKey({ scope }: RouteRequest): void {
  if (scope.principal.realm !== 'api_key') return
  const reason = 'authentication via API key not supported: only the owner user can update an API key'
  throw new AppError(searchErrors.illegal_argument_exception, reason)
}

const update = defineRoute({
  name: 'security.update_api_key',
  methods: ['PUT'],
  paths: ['/_security/api_key/{id}'],
  privilege: ownKeys,
  parameters: {},
  async handle(request, { security, now }) {
    refuseKey(request)
    const what = 'update_api_key_request_payload'
    const body = request.body.length === 0 ? {} : readFields(what, request.json(), keyFields)
    const change = readKeyChange(what, body, now())
    const updated = await security.updateApiKey(request.scope, request.params['id'] ?? '', change)
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
    const what = 'bulk_update_api_key_request'
    const body = readFields(what, request.json(), { ids: 'texts', ...keyFields })
    if (body['ids'] === undefined) throw required('ids')
    const change = readKeyChange(what, body, now())
    const ids = [body['ids']].flat()
    if (ids.length === 0) throw validationError('Field [ids] cannot be empty')
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

const invalidateRequest = 'invalidate_api_key'
const invalidateFields = {
  ids: 'texts',
  name: 'text',
  realm_name: 'text',
  username: 'text',
  owner: 'boolean',
} as const

const invalidate = defineRoute({
  name: 'security.invalidate_api_key',
  methods: ['DELETE'],
  paths: ['/_security/api_key'],
  privilege: 'authenticated',
  parameters: {},
  async handle(request, { security }) {
    const { scope } = request
    const body = readFields(invalidateRequest, request.json(), invalidateFields)
    const faults = selectorFaults(body)
    if (faults.length > 0) throw validationError(...faults)
    const managesAll = scope.hasCluster('manage_api_key')
    const matching = selected(request, security, { ...body, owner: managesAll ? body['owner'] : true })
    const isOwner = String(body['owner']) === 'true'
    // Who may end its own only names them, or itself: so it learns nothing of other keys.
    const ids = named(body['ids'])
    const areOwn = isOwner || (ids.length > 0 && matching.length === ids.length) || namesSelf(request, security, body)
    const mayEnd = managesAll || (scope.hasCluster('manage_own_api_key') && areOwn)
    if (!mayEnd) {
      const action = actionOf('security.invalidate_api_key', 'cluster')
      throw forbidden(scope, action, 'cluster', action, [], isOwner ? ['manage_own_api_key'] : [])
    }
    const ended = await security.invalidateApiKeys(matching.map((key) => key.id))
    const before = matching.filter((key) => key.invalidated).map((key) => key.id)
    return { json: { invalidated_api_keys: ended, previously_invalidated_api_keys: before, error_count: 0 } }
  },
})

function namesSelf(
  { scope: { principal } }: RouteRequest,
  security: Security,
  { username, realm_name: realm }: Readonly<Record<string, unknown>>,
): boolean {
  return !principal.apiKey && username === principal.username && realm === realmOf(security, principal)
}

/** The ids that a body names, each once. */
function named(ids: unknown): string[] {
  return ids === undefined ? [] : [...new Set([ids].flat().map(scalarText))]
}

function refuseBlankIds(ids: readonly unknown[]): void {
  const blank = ids.flatMap((id, at) => (scalarText(id).trim() === '' ? [at] : []))
  if (ids.length > 0 && blank.length === 0) return
  const [s, where] = blank.length === 1 ? ['', ''] : ['s', 's']
  const fault =
    ids.length === 0
      ? 'Field [ids] cannot be an empty array'
      : `Field [ids] must not contain blank id, but got blank id${s} at index position${where}: [${blank.join(', ')}]`
  throw unreadable(`Failed to build [${invalidateRequest}] after last required field arrived`, validationError(fault))
}

function selectorFaults({ ids, name, realm_name, username, owner }: Readonly<Record<string, unknown>>): string[] {
  if (ids !== undefined) refuseBlankIds([ids].flat())
  const byKey = ids !== undefined || name !== undefined
  const byUser = username !== undefined || realm_name !== undefined
  if (!byKey && !byUser && String(owner) !== 'true')
    return ['One of [api key id(s), api key name, username, realm name] must be specified if [owner] flag is false']
  return [
    ...(byKey && byUser
      ? ['username or realm name must not be specified when the api key id(s) or api key name are specified']
      : []),
    ...(byUser && String(owner) === 'true'
      ? ['neither username nor realm-name may be specified when invalidating owned API keys']
      : []),
    ...(ids !== undefined && name !== undefined ? ['only one of [api key id(s), api key name] can be specified'] : []),
  ]
}

/** The keys that all selectors of a body mean. */
function selected(
  request: RouteRequest,
  security: Security,
  { ids, name, realm_name, username, owner }: Readonly<Record<string, unknown>>,
): readonly ApiKeyInfo[] {
  const candidates = ids === undefined ? security.apiKeys() : named(ids).flatMap((id) => security.apiKey(id) ?? [])
  const fits = nameMatcher(typeof name === 'string' ? name : undefined)
  return candidates
    .filter((key) => fits(key.name))
    .filter((key) => username === undefined || key.username === username)
    .filter((key) => realm_name === undefined || realmOf(security, key) === realm_name)
    .filter((key) => String(owner) !== 'true' || isOwn(request, key))
}

/** API keys: made for oneself or for another, changed, found and ended. */
export const apiKeyRoutes: readonly Route[] = [create, grant, get, query, update, bulkUpdate, invalidate]
