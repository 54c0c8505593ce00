import { validationError } from '../../refusals/validation-error.ts'
import { readRole } from '../../security/read-role.ts'
import { type Role, shownRole } from '../../security/role.ts'
import { roleFaults } from '../../security/role-faults.ts'
import type { ApiKeyChange, ApiKeyInfo, Security } from '../../security/security.ts'
import { serviceAccounts } from '../../security/service-accounts.ts'
import { readTime } from '../../values/unit-values.ts'
import { type FieldKind, readFields, required, unreadable, within } from './read-fields.ts'

type Body = Readonly<Record<string, unknown>>

/** The members of a body that say what a key may do, for how long, and what else is kept with it. */
export const keyFields = {
  role_descriptors: 'object',
  expiration: 'text',
  metadata: 'object',
} as const satisfies Readonly<Record<string, FieldKind>>

/** The roles a key is given, by name. */
function readDescriptors(what: string, given: unknown): Record<string, Role> {
  const entries = Object.entries((given ?? {}) as Body)
  return within(what, 'role_descriptors', () =>
    Object.fromEntries(
      entries.map(([name, role]) => [
        name,
        within('role_descriptors', name, () => readRole({ name, ofKey: true }, role)),
      ]),
    ),
  )
}

function readExpiration(what: string, given: unknown, now: number): number | undefined {
  if (typeof given !== 'string') return undefined
  try {
    return now + readTime('expiration', given)
  } catch (thrown) {
    throw unreadable(`Failed to build [${what}] after last required field arrived`, thrown)
  }
}

function faultsOf(metadata: unknown, roles: Readonly<Record<string, Role>>): string[] {
  const isReserved = Object.keys((metadata ?? {}) as Body).some((key) => key.startsWith('_'))
  return [
    ...(isReserved ? ['API key metadata keys may not start with [_]'] : []),
    ...Object.values(roles).flatMap(roleFaults),
  ]
}

function nameFaults(name: string): string[] {
  if (name === '') return ['api key name is required']
  return [
    ...(name.length > 256 ? ['api key name may not be more than 256 characters long'] : []),
    ...(name === name.trim() ? [] : ['api key name may not begin or end with whitespace']),
    ...(name.startsWith('_') ? ['api key name may not begin with an underscore'] : []),
  ]
}

/** What a new key is to be. */
export function readNewKey(given: unknown, now: number) {
  const what = 'api_key_request'
  const body = readFields(what, given, { name: 'text', ...keyFields })
  const { name, role_descriptors, expiration, metadata } = body
  if (typeof name !== 'string') throw required('name')
  const roles = readDescriptors(what, role_descriptors)
  const expiresAtMs = readExpiration(what, expiration, now)
  const faults = [...nameFaults(name), ...faultsOf(metadata, roles)]
  if (faults.length > 0) throw validationError(...faults)
  return { name, roles, expiresAtMs, metadata: (metadata ?? {}) as Body }
}

/** What of a key is to change, by a body that was read as `what`. */
export function readKeyChange(
  what: string,
  { role_descriptors, metadata, expiration }: Body,
  now: number,
): ApiKeyChange {
  const roles = role_descriptors === undefined ? undefined : readDescriptors(what, role_descriptors)
  const expiresAtMs = readExpiration(what, expiration, now)
  const faults = faultsOf(metadata, roles ?? {})
  if (faults.length > 0) throw validationError(...faults)
  return { roles, metadata: metadata as Body | undefined, expiresAtMs }
}

/** The realm of whom a key belongs to: a user, a service, or the key that made it. */
export function realmOf(security: Pick<Security, 'user'>, key: Pick<ApiKeyInfo, 'username' | 'madeBy'>): string {
  if (key.madeBy !== undefined) return '_es_api_key'
  if (Object.hasOwn(serviceAccounts, key.username)) return '_service_account'
  return security.user(key.username)?.reserved === true ? 'reserved' : 'default_native'
}

const shownRoles = (roles: Readonly<Record<string, Role>>): Record<string, Role> =>
  Object.fromEntries(Object.entries(roles).map(([name, role]) => [name, shownRole(role)]))

/** A key as it is listed: everything but the key itself. */
export function showKey(security: Pick<Security, 'user'>, key: ApiKeyInfo, withLimitedBy = false) {
  const realm = realmOf(security, key)
  return {
    id: key.id,
    name: key.name,
    type: 'rest',
    creation: key.createdAtMs,
    ...(key.expiresAtMs === undefined ? {} : { expiration: key.expiresAtMs }),
    invalidated: key.invalidated,
    ...(key.invalidatedAtMs === undefined ? {} : { invalidation: key.invalidatedAtMs }),
    username: key.username,
    realm,
    realm_type: realm.replace('default_', ''),
    metadata: key.metadata,
    role_descriptors: shownRoles(key.roles),
    ...(withLimitedBy ? { limited_by: [shownRoles(key.limitedBy)] } : {}),
  }
}

/** A key that was just made: the only time it is shown. */
export function showNewKey(created: ApiKeyInfo & { readonly key: string }) {
  return {
    id: created.id,
    name: created.name,
    ...(created.expiresAtMs === undefined ? {} : { expiration: created.expiresAtMs }),
    api_key: created.key,
    encoded: Buffer.from(`${created.id}:${created.key}`).toString('base64'),
  }
}
