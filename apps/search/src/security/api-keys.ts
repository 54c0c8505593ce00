import { randomBytes } from 'node:crypto'
import { generateToken, secretsEqual } from '@logstack/passwords'
import type { Collection, Store } from '../indices/store.ts'
import type { ApiKeyRecord } from './records.ts'
import type { Role } from './role.ts'
import { type AliasesOf, narrowedScope, scopeOfRoles } from './role-scope.ts'
import type { Principal, Scope } from './scope.ts'
import type { ApiKeyInfo } from './security.ts'
import { hashOfToken } from './tokens.ts'

/** Keys for machines: an id and a secret, never more powerful than their owner was. */
export interface ApiKeys {
  /** The scope of `id:key`; undefined when it is no valid key. */
  scope(id: string, key: string): Scope | undefined
  create(request: {
    readonly username: string
    readonly name: string
    readonly roles: Readonly<Record<string, Role>>
    readonly limitedBy: readonly Role[]
    readonly expiresAtMs: number | undefined
    readonly metadata: Readonly<Record<string, unknown>>
  }): Promise<ApiKeyInfo & { readonly key: string }>
  list(): ApiKeyInfo[]
  invalidate(ids: readonly string[]): Promise<string[]>
}

/** Makes the key store over the catalogue's. */
export function createApiKeys(store: Store, now: () => number, aliasesOf?: AliasesOf): ApiKeys {
  const records: Collection<ApiKeyRecord> = store.collection('security_api_key')
  const valid = (record: ApiKeyRecord): boolean =>
    !record.invalidated && (record.expiresAtMs === undefined || record.expiresAtMs > now())
  return {
    scope(id, key) {
      const record = records.get(id)
      if (!record || !secretsEqual(hashOfToken(key), record.keyHash) || !valid(record)) return undefined
      const names = Object.keys(record.roles)
      const principal: Principal = { username: record.id, roles: names, realm: 'api_key' }
      const limit = scopeOfRoles(principal, record.limitedBy, aliasesOf)
      return names.length === 0
        ? limit
        : narrowedScope(principal, scopeOfRoles(principal, Object.values(record.roles), aliasesOf), limit)
    },
    async create({ username, name, roles, limitedBy, expiresAtMs, metadata }) {
      const key = generateToken(16)
      const record: ApiKeyRecord = {
        id: randomBytes(15).toString('base64url'),
        name,
        keyHash: hashOfToken(key),
        createdAtMs: now(),
        expiresAtMs,
        invalidated: false,
        username,
        metadata,
        roles,
        limitedBy,
      }
      await store.transaction(() => records.put(record.id, record))
      return { ...infoOf(record), key }
    },
    list: () => [...records.entries()].map(([, record]) => infoOf(record)),
    async invalidate(ids) {
      const found = ids.map((id) => records.get(id)).filter((record) => record !== undefined && valid(record))
      await store.transaction(() => {
        for (const record of found) if (record) records.put(record.id, { ...record, invalidated: true })
      })
      return found.flatMap((record) => (record ? [record.id] : []))
    },
  }
}

function infoOf(record: ApiKeyRecord): ApiKeyInfo {
  const { keyHash: _keyHash, limitedBy: _limitedBy, ...info } = record
  return info
}
