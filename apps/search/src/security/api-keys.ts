import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { AppError, searchErrors } from '@logstack/errors'
import { generateToken, secretsEqual } from '@logstack/passwords'
import type { Principal, Scope } from '../model/scope.ts'
import type { Collection, Store } from '../store/store.ts'
import { createApplicationPrivileges, withActions } from './application-privileges.ts'
import type { ApiKeyRecord, UserRecord } from './records.ts'
import type { Role } from './role.ts'
import { roleQueryOf } from './role-query.ts'
import { type AliasesOf, narrowedScope, scopeOfRoles } from './role-scope.ts'
import type { ApiKeyChange, ApiKeyInfo } from './security.ts'
import { hashOfToken } from './tokens.ts'

/** Keys that ended are kept so long for whoever looks for them, and are looked through that often. */
const retention = { endedKeptMs: 7 * 86_400_000, lookedEveryMs: 3_600_000 } as const

// No key has this hash: an unknown id takes as long to refuse as a known one.
const nobodysKeyHash = hashOfToken('')

/** Whose a key is, and what that user's roles grant. */
export interface KeyOwner {
  readonly principal: Principal
  readonly roles: Readonly<Record<string, Role>>
}

/** Keys for machines: an id and a secret, never more powerful than their owner was. */
export interface ApiKeys {
  /** The scope of `id:key`; when it is no valid key, the reason in Elasticsearch's words. */
  scope(id: string, key: string): Scope | string
  create(request: {
    readonly owner: KeyOwner
    readonly name: string
    readonly roles: Readonly<Record<string, Role>>
    readonly expiresAtMs: number | undefined
    readonly metadata: Readonly<Record<string, unknown>>
  }): Promise<ApiKeyInfo & { readonly key: string }>
  get(id: string): ApiKeyInfo | undefined
  /** The oldest first. */
  list(): ApiKeyInfo[]
  update(owner: KeyOwner, id: string, change: ApiKeyChange): Promise<boolean>
  invalidate(ids: readonly string[]): Promise<string[]>
}

/** Makes the key store over the catalogue's. */
export function createApiKeys(store: Store, now: () => number, aliasesOf?: AliasesOf): ApiKeys {
  const records: Collection<ApiKeyRecord> = store.collection('security_api_key')
  const privileges = createApplicationPrivileges(store)
  const owners: Collection<UserRecord> = store.collection('security_user')
  const expired = ({ expiresAtMs }: ApiKeyRecord): boolean => expiresAtMs !== undefined && expiresAtMs <= now()
  const prune = createPruning(records, now)
  return {
    scope(id, key) {
      const record = records.get(id)
      const isRight = secretsEqual(hashOfToken(key), record?.keyHash ?? nobodysKeyHash)
      if (!record) return `unable to find apikey with id ${id}`
      if (!isRight) return `invalid credentials for API key [${id}]`
      if (record.invalidated) return `api key [${id}] has been invalidated`
      if (expired(record)) return 'api key is expired'
      const names = Object.keys(record.roles)
      const principal = principalOf(record, owners.get(record.username))
      const granting = (roles: readonly Role[]) =>
        scopeOfRoles(
          principal,
          roles.map((role) => withActions(role, privileges)),
          aliasesOf,
        )
      const limit = granting(Object.values(record.limitedBy))
      return names.length === 0 ? limit : narrowedScope(principal, granting(Object.values(record.roles)), limit)
    },
    async create(request) {
      const key = generateToken(16)
      const record = recordOf(request, key, now())
      await store.transaction(() => {
        prune()
        records.put(record.id, record)
      })
      return { ...infoOf(record), key }
    },
    get(id) {
      const record = records.get(id)
      return record && infoOf(record)
    },
    list: () =>
      [...records.entries()].map(([, record]) => infoOf(record)).sort((a, b) => a.createdAtMs - b.createdAtMs),
    async update(owner, id, { roles, metadata, expiresAtMs }) {
      const record = records.get(id)
      if (record?.username !== owner.principal.username || record.madeBy !== undefined)
        throw new AppError(
          searchErrors.resource_not_found_exception,
          `no API key owned by requesting user found for ID [${id}]`,
        )
      const ended = record.invalidated ? 'invalidated' : expired(record) ? 'expired' : undefined
      if (ended) throw new AppError(searchErrors.illegal_argument_exception, `cannot update ${ended} API key [${id}]`)
      const changed: ApiKeyRecord = {
        ...record,
        ...(roles === undefined ? {} : { roles: forOwner(roles, owner) }),
        ...(metadata === undefined ? {} : { metadata }),
        ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
        limitedBy: forOwner(owner.roles, owner),
      }
      if (isDeepStrictEqual(plain(changed), plain(record))) return false
      await store.transaction(() => records.put(id, changed))
      return true
    },
    async invalidate(ids) {
      const found = [...new Set(ids)].map((id) => records.get(id)).filter((record) => record && !record.invalidated)
      const ended = found.flatMap((record) => (record ? [record] : []))
      await store.transaction(() => {
        for (const record of ended) records.put(record.id, { ...record, invalidated: true, invalidatedAtMs: now() })
      })
      return ended.map(({ id }) => id)
    },
  }
}

function principalOf({ id, name, metadata, username }: ApiKeyRecord, owner: UserRecord | undefined): Principal {
  const ownerRealm = owner?.reserved === true ? 'reserved' : 'native'
  const details = owner && { fullName: owner.fullName, email: owner.email, metadata: owner.metadata }
  const apiKey = { id, name, metadata, ownerRealm } as const
  return { username, roles: [], realm: 'api_key', apiKey, ...(details ? { details } : {}) }
}

function recordOf(
  { owner, name, roles, expiresAtMs, metadata }: Parameters<ApiKeys['create']>[0],
  key: string,
  createdAtMs: number,
): ApiKeyRecord {
  const { username, apiKey } = owner.principal
  return {
    id: randomBytes(15).toString('base64url'),
    name,
    keyHash: hashOfToken(key),
    createdAtMs,
    expiresAtMs,
    invalidated: false,
    username,
    ...(apiKey ? { madeBy: apiKey.id } : {}),
    metadata,
    roles: forOwner(roles, owner),
    limitedBy: forOwner(owner.roles, owner),
  }
}

/** As the store gives it back: without members that are undefined. */
function plain(record: ApiKeyRecord): unknown {
  return JSON.parse(JSON.stringify(record))
}

/** Removes keys that ended long ago, now and then; only inside a transaction. */
function createPruning(records: Collection<ApiKeyRecord>, now: () => number): () => void {
  let lookedAtMs = Number.NEGATIVE_INFINITY
  return () => {
    if (now() >= lookedAtMs && now() - lookedAtMs < retention.lookedEveryMs) return
    lookedAtMs = now()
    for (const [id, { invalidatedAtMs = Infinity, expiresAtMs = Infinity }] of records.entries())
      if (Math.min(invalidatedAtMs, expiresAtMs ?? Infinity) + retention.endedKeptMs < now()) records.remove(id)
  }
}

/** Queries of roles that ask for the user mean the owner of the key, as of when it was made. */
function roleFor(role: Role, { principal }: KeyOwner): Role {
  const indices = role.indices.map((grant) =>
    grant.query === undefined || grant.query === null
      ? grant
      : { ...grant, query: roleQueryOf(grant.query, principal) },
  )
  return { ...role, indices }
}

function forOwner(roles: Readonly<Record<string, Role>>, owner: KeyOwner): Record<string, Role> {
  return Object.fromEntries(Object.entries(roles).map(([name, role]) => [name, roleFor(role, owner)]))
}

function infoOf(record: ApiKeyRecord): ApiKeyInfo {
  const { keyHash: _keyHash, limitedBy, ...info } = record
  return { ...info, limitedBy: Object.fromEntries(Object.entries(limitedBy)) }
}
