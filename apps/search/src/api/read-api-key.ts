import { AppError, searchErrors } from '@logstack/errors'
import { readTime } from '../cluster-settings/unit-values.ts'
import { type Role, readRole, shownRole } from '../security/role.ts'
import type { ApiKeyChange, ApiKeyInfo, Security } from '../security/security.ts'
import { isObject } from './read-request.ts'
import { validationError } from './render-error.ts'

type Body = Readonly<Record<string, unknown>>

/** The roles a key is given, by name. Throws `parse_exception`. */
function readDescriptors(given: unknown): Record<string, Role> {
  if (given === undefined || given === null) return {}
  if (!isObject(given)) throw new AppError(searchErrors.parse_exception, '[role_descriptors] must be an object')
  return Object.fromEntries(Object.entries(given).map(([name, role]) => [name, readRole(role)]))
}

function readMetadata(given: unknown): Readonly<Record<string, unknown>> {
  if (given === undefined || given === null) return {}
  if (!isObject(given)) throw new AppError(searchErrors.parse_exception, '[metadata] must be an object')
  if (Object.keys(given).some((key) => key.startsWith('_')))
    throw validationError('API key metadata keys may not start with [_]')
  return given
}

function readExpiration(given: unknown, now: number): number | undefined {
  if (given === undefined || given === null) return undefined
  if (typeof given !== 'string') throw new AppError(searchErrors.parse_exception, '[expiration] must be a time')
  return now + readTime('expiration', given)
}

/** Throws `parsing_exception` for a key that the body of `what` does not have. */
export function refuseOthers(body: Body, what: string, known: readonly string[]): void {
  const unknown = Object.keys(body).find((key) => !known.includes(key))
  if (unknown !== undefined)
    throw new AppError(searchErrors.x_content_parse_exception, `[${what}] unknown field [${unknown}]`)
}

/** What a new key is to be. */
export function readNewKey(body: Body, now: number) {
  refuseOthers(body, 'api_key_request', ['name', 'role_descriptors', 'expiration', 'metadata'])
  const { name, role_descriptors, expiration, metadata } = body
  if (typeof name !== 'string' || name === '') throw validationError('api key name is required')
  if (name.length > 256) throw validationError('api key name may not be more than 256 characters long')
  if (name !== name.trim()) throw validationError('api key name may not begin or end with whitespace')
  if (name.startsWith('_')) throw validationError('api key name may not begin with an underscore')
  const expiresAtMs = readExpiration(expiration, now)
  return { name, roles: readDescriptors(role_descriptors), expiresAtMs, metadata: readMetadata(metadata) }
}

/** What of a key is to change. */
export function readKeyChange({ role_descriptors, metadata, expiration }: Body, now: number): ApiKeyChange {
  return {
    roles: role_descriptors === undefined ? undefined : readDescriptors(role_descriptors),
    metadata: metadata === undefined ? undefined : readMetadata(metadata),
    expiresAtMs: readExpiration(expiration, now),
  }
}

/** The realm of the user a key belongs to. */
export function realmOf(security: Pick<Security, 'user'>, { username }: Pick<ApiKeyInfo, 'username'>): string {
  return security.user(username)?.reserved === true ? 'reserved' : 'default_native'
}

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
    realm_type: realm === 'reserved' ? 'reserved' : 'native',
    metadata: key.metadata,
    role_descriptors: Object.fromEntries(Object.entries(key.roles).map(([name, role]) => [name, shownRole(role)])),
    ...(withLimitedBy
      ? { limited_by: [Object.fromEntries(key.limitedBy.map((role, at) => [`role-${at}`, shownRole(role)]))] }
      : {}),
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
