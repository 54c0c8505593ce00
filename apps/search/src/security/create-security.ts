import { AppError, searchErrors } from '@logstack/errors'
import { generateToken, hashPassword, isBcryptHash, passwordBytesMax } from '@logstack/passwords'
import { createLoginTurns } from '@logstack/passwords/login-turns'
import type { Principal, Scope } from '../model/scope.ts'
import type { Collection, Store } from '../store/store.ts'
import { type ApiKeys, createApiKeys } from './api-keys.ts'
import { createApplicationPrivileges, withActions } from './application-privileges.ts'
import { builtinUser, builtinUsers } from './builtin-users.ts'
import {
  type Asking,
  credentialsUnknown,
  requestOf,
  runAsDenied,
  tokenExpired,
  tokenUnknown,
  unauthenticated,
  userUnknown,
} from './denied.ts'
import { createLoginLimit } from './login-limit.ts'
import type { UserRecord } from './records.ts'
import { reservedRoles } from './reserved-roles.ts'
import type { Role } from './role.ts'
import { createRoleMappings } from './role-mappings.ts'
import { type AliasesOf, scopeOfRoles, systemScope } from './role-scope.ts'
import type { Security, UserChange, UserInfo } from './security.ts'
import { serviceAccounts } from './service-accounts.ts'
import { createServiceTokens } from './service-tokens.ts'
import { createTokens, defaultTokenLifetimes, looksLikeToken, type TokenLifetimes, type Tokens } from './tokens.ts'
import { createVerifiedLogins, type VerifiedLogins } from './verified-logins.ts'

// A hash of nobody's password: an unknown user takes as long to refuse as a known one.
const nobodysHash = '$argon2id$v=19$m=19456,t=2,p=1$wpm/siUji4ADv7/yQXVhng$DG213jGL2ysUZpt/qRqJJmLtmIRiEWuKaSg8jC3K/bQ'

const passwordLengthMin = 6

/** Users, roles, tokens and API keys in collections of the catalogue's store. */
export function createSecurity(options: {
  readonly store: Store
  /** The host's clock, epoch milliseconds: what is kept ends by it. */
  readonly now: () => number
  /** Milliseconds that only go on: what this process remembers ends by them, whatever happens to the clock. */
  readonly steadyMs?: () => number
  readonly lifetimes?: TokenLifetimes
  /** So that what is granted on an alias holds for the documents behind it. */
  readonly aliasesOf?: AliasesOf
}): Security {
  const { store, now, steadyMs = () => performance.now(), aliasesOf } = options
  const users: Collection<UserRecord> = store.collection('security_user')
  const roles: Collection<Role> = store.collection('security_role')
  const tokens = createTokens(store, now, options.lifetimes ?? defaultTokenLifetimes)
  const apiKeys = createApiKeys(store, now, aliasesOf)
  const role = (name: string): Role | undefined =>
    Object.hasOwn(reservedRoles, name) ? reservedRoles[name] : roles.get(name)
  const rolesOf = (names: readonly string[]): Role[] => names.map(role).filter((found) => found !== undefined)
  const roleMappings = createRoleMappings(store)
  const privileges = createApplicationPrivileges(store)
  const serviceTokens = createServiceTokens(store, now, aliasesOf)
  const scopeOfUser: ScopeOfUser = (user, realm, runBy) => {
    const held = roleMappings.rolesOf(user)
    const granting = rolesOf(held).map((each) => withActions(each, privileges))
    const principal = principalOf(user, held, realm)
    return scopeOfRoles(runBy ? { ...principal, runBy } : principal, granting, aliasesOf)
  }
  const verified = createVerifiedLogins(steadyMs)
  const checkPassword = createPasswordCheck({ store, users, steadyMs, verified }, scopeOfUser)

  const scopeOfToken = (token: string): Scope => {
    if (!looksLikeToken(token)) throw tokenUnknown()
    const username = tokens.owner(token)
    const user = username === undefined ? undefined : users.get(username)
    if (!user?.enabled) throw tokenExpired()
    return scopeOfUser(user, 'token')
  }

  return {
    async authenticate(authorization, path, address) {
      const [, scheme = '', given = ''] = /^(\S+)\s+(.+)$/.exec(authorization ?? '') ?? []
      const kind = scheme.toLowerCase()
      if (kind === 'bearer') return serviceTokens.scope(given.trim()) ?? scopeOfToken(given.trim())
      if (kind === 'apikey') return scopeOfKey(apiKeys, given)
      if (kind !== 'basic') throw unauthenticated(`missing authentication credentials for REST request [${path}]`)
      const { name, secret } = basicPair(given)
      return checkPassword(name, secret, path, address)
    },
    runAs(scope, username, asking) {
      const { principal } = scope
      if (username.trim() === '') throw userUnknown(principal.username, requestOf(asking))
      const user = users.get(username)
      if (!user || scope.mayRunAs?.(username) !== true) throw runAsDenied(scope, username, asking)
      if (!user.enabled) throw userUnknown(principal.username, requestOf(asking))
      return scopeOfUser(user, user.reserved ? 'reserved' : 'native', principal)
    },
    checkPassword,
    async changePassword(username, change) {
      if (!userOf(users, username)) throw userMissing(username)
      await putUser(store, users, username, change)
      await tokens.invalidateOf((each) => each === username)
    },
    ...tokenAdministration(tokens, users, scopeOfToken),
    ...userAdministration(store, users, tokens),
    ...roleAdministration(store, roles, role),
    ...keyAdministration(apiKeys, role),
    forgetLogins: verified.forget,
    roleMappings,
    privileges,
    serviceTokens,
    system: systemScope,
  }
}

/** The scope of a key by what its header gives; throws 401 with the reason. */
function scopeOfKey(apiKeys: ApiKeys, given: string): Scope {
  const { name, secret } = splitPair(given)
  const scope = secret === '' ? 'invalid ApiKey value' : apiKeys.scope(name, secret)
  if (typeof scope === 'string') throw credentialsUnknown({ additional_unsuccessful_credentials: `API key: ${scope}` })
  return scope
}

type TokenAdministration = Pick<Security, 'issueToken' | 'refreshToken' | 'invalidateToken' | 'invalidateTokensOf'>

function tokenAdministration(
  tokens: Tokens,
  users: Collection<UserRecord>,
  scopeOfToken: (token: string) => Scope,
): TokenAdministration {
  return {
    issueToken: tokens.issue,
    async refreshToken(refreshToken) {
      const { username: _username, ...issued } = await refreshed(tokens, refreshToken)
      return { ...issued, principal: scopeOfToken(issued.accessToken).principal }
    },
    invalidateToken: tokens.invalidate,
    invalidateTokensOf: ({ username, realm }) =>
      tokens.invalidateOf((each) => {
        const own = userOf(users, each)?.reserved === true ? 'reserved' : 'default_native'
        return (realm === undefined || realm === own) && (username === undefined || username === each)
      }),
  }
}

async function refreshed(tokens: Tokens, refreshToken: string) {
  const issued = await tokens.refresh(refreshToken)
  if (issued) return issued
  throw new AppError(searchErrors.invalid_grant, 'could not refresh the requested token')
}

function principalOf(user: UserRecord, roles: readonly string[], realm: Principal['realm']): Principal {
  const { username, fullName, email, metadata, reserved: isReserved } = user
  return { username, roles, realm, isReserved, details: { fullName, email, metadata } }
}

type KeyAdministration = Pick<Security, 'createApiKey' | 'apiKeys' | 'apiKey' | 'updateApiKey' | 'invalidateApiKeys'>

function keyAdministration(apiKeys: ApiKeys, role: Security['role']): KeyAdministration {
  const ownerOf = ({ principal }: Scope) => ({ principal, roles: ownRoles(principal, role) })
  return {
    createApiKey: ({ owner, ...request }) => apiKeys.create({ ...request, owner: ownerOf(owner) }),
    apiKeys: apiKeys.list,
    apiKey: apiKeys.get,
    updateApiKey: (owner, id, change) => apiKeys.update(ownerOf(owner), id, change),
    invalidateApiKeys: apiKeys.invalidate,
  }
}

/** The roles of who makes a key, by their names. Those of a key are its own, whatever other roles are called the same; a service is one. */
function ownRoles({ realm, username, roles }: Principal, role: Security['role']): Record<string, Role> {
  if (realm === 'api_key') return {}
  const service = realm === 'service' ? serviceAccounts[username] : undefined
  if (service) return { [username]: service }
  return Object.fromEntries(
    roles.flatMap((name): [string, Role][] => {
      const found = role(name)
      return found ? [[name, found]] : []
    }),
  )
}

type UserAdministration = Pick<Security, 'user' | 'users' | 'putUser' | 'deleteUser'>

function userAdministration(store: Store, users: Collection<UserRecord>, tokens: Tokens): UserAdministration {
  return {
    user: (username) => userOf(users, username),
    users: () => {
      const names = new Set([...Object.keys(builtinUsers), ...[...users.entries()].map(([name]) => name)])
      return [...names].sort().flatMap((name) => userOf(users, name) ?? [])
    },
    putUser: (username, change) => putUser(store, users, username, change),
    async deleteUser(username) {
      const user = userOf(users, username)
      if (user?.reserved) {
        throw new AppError(
          searchErrors.illegal_argument_exception,
          `user [${username}] is reserved and cannot be deleted`,
        )
      }
      if (!user) return false
      await store.transaction(() => users.remove(username))
      await tokens.invalidateOf((each) => each === username)
      return true
    },
  }
}

type RoleAdministration = Pick<Security, 'role' | 'roles' | 'putRole' | 'deleteRole'>

function roleAdministration(store: Store, roles: Collection<Role>, role: Security['role']): RoleAdministration {
  return {
    role,
    roles: () => new Map([...Object.entries(reservedRoles), ...roles.entries()]),
    async putRole(name, definition) {
      if (Object.hasOwn(reservedRoles, name))
        throw new AppError(
          searchErrors.action_request_validation_exception,
          `Validation Failed: 1: Role [${name}] is reserved and may not be used.;`,
        )
      const isNew = roles.get(name) === undefined
      await store.transaction(() => roles.put(name, definition))
      return isNew
    },
    async deleteRole(name) {
      if (Object.hasOwn(reservedRoles, name))
        throw new AppError(searchErrors.illegal_argument_exception, `role [${name}] is reserved and cannot be deleted`)
      if (roles.get(name) === undefined) return false
      await store.transaction(() => roles.remove(name))
      return true
    },
  }
}

type ScopeOfUser = (user: UserRecord, realm: Principal['realm'], runBy?: Principal) => Scope
type PasswordCheck = Security['checkPassword']

interface Logins {
  readonly store: Store
  readonly users: Collection<UserRecord>
  readonly steadyMs: () => number
  readonly verified: VerifiedLogins
}

function createPasswordCheck({ store, users, steadyMs, verified }: Logins, scopeOfUser: ScopeOfUser): PasswordCheck {
  const limit = createLoginLimit(steadyMs)
  const inTurn = createLoginTurns()
  return async (username, password, asking: Asking, address = '') => {
    const user = users.get(username)
    const passwordHash = user?.passwordHash ?? nobodysHash
    // Asked of nobody, too: what is done for a user who is not there is what is done for one who is.
    const isKnown = verified.known(username, password, passwordHash)
    if (!(user?.enabled && isKnown)) {
      const key = `${username}\0${address}`
      const tried = verified.nameOf(username, password)
      const isRight = await inTurn(key, `${tried}${passwordHash}`, async () => {
        refuseWhileSlowed(limit.waitMs(key), username)
        const right = await verified.verify(username, password, passwordHash)
        const isLet = right && user?.enabled === true
        if (isLet) limit.succeeded(key)
        else limit.failed(key, tried)
        return isLet
      })
      if (!(user && isRight)) throw userUnknown(username, asking)
      if (isBcryptHash(user.passwordHash)) await rehash(store, users, user, password)
    }
    return scopeOfUser(user, user.reserved ? 'reserved' : 'native')
  }
}

function refuseWhileSlowed(waitMs: number, username: string): void {
  if (waitMs <= 0) return
  const seconds = Math.ceil(waitMs / 1000)
  const reason = `too many failed logins of user [${username}] from this address, try again in ${seconds} s`
  throw new AppError(searchErrors.login_too_often, reason, { detail: { header: { 'Retry-After': String(seconds) } } })
}

/** Keeps a password that came as a hash of another kind as this search does, once it is known. */
async function rehash(store: Store, users: Collection<UserRecord>, user: UserRecord, password: string): Promise<void> {
  const passwordHash = await hashPassword(password)
  await store.transaction(() => {
    const now = users.get(user.username)
    if (now?.passwordHash === user.passwordHash) users.put(user.username, { ...now, passwordHash })
  })
}

async function putUser(
  store: Store,
  users: Collection<UserRecord>,
  username: string,
  change: UserChange & { readonly reserved?: boolean },
): Promise<boolean> {
  const stored = users.get(username)
  // One that is built in is kept once something of it is other than it was.
  const builtin = stored ? undefined : builtinUser(username)
  const before =
    stored ?? (builtin && { ...builtin, reserved: true, passwordHash: await hashPassword(generateToken()) })
  const { password, passwordHash: given, ...rest } = change
  if (password === undefined && given === undefined && !before) {
    const reason = `Validation Failed: 1: password must be specified unless you are updating an existing user;`
    throw new AppError(searchErrors.validation_exception, reason)
  }
  const passwordHash = password === undefined ? (given ?? before?.passwordHash) : await hashChecked(password)
  if (passwordHash === undefined) throw new Error('BUG: a user without a password')
  const record: UserRecord = {
    roles: [],
    metadata: {},
    enabled: true,
    reserved: false,
    ...before,
    ...rest,
    username,
    passwordHash,
  }
  await store.transaction(() => users.put(username, record))
  return before === undefined
}

/** Makes the first administrator. Does nothing once any user exists; true when it made one. */
export async function bootstrapAdministrator(store: Store, username: string, password: string): Promise<boolean> {
  const users: Collection<UserRecord> = store.collection('security_user')
  if (users.firstKeys(1).length > 0) return false
  await putUser(store, users, username, {
    password,
    roles: ['superuser'],
    metadata: { _reserved: true },
    reserved: true,
  })
  return true
}

/** Whether any user exists, so that a start without the administrator's secret is possible. */
export function hasUsers(store: Store): boolean {
  const users: Collection<UserRecord> = store.collection('security_user')
  return users.firstKeys(1).length > 0
}

async function hashChecked(password: string): Promise<string> {
  const bytes = Buffer.byteLength(password)
  if (password.length < passwordLengthMin || bytes > passwordBytesMax) {
    const reason =
      bytes > passwordBytesMax
        ? `passwords must be at most [${passwordBytesMax}] bytes long`
        : `passwords must be at least [${passwordLengthMin}] characters long`
    throw new AppError(searchErrors.validation_exception, `Validation Failed: 1: ${reason};`)
  }
  return hashPassword(password)
}

/** The name and the password of a header. Throws 401 for one that has none. */
function basicPair(given: string): { name: string; secret: string } {
  const text = given.trim()
  if (!/^[A-Za-z0-9+/]{2,}={0,2}$/u.test(text) || text.replace(/=+$/u, '').length % 4 === 1)
    throw unauthenticated('invalid basic authentication header encoding')
  const pair = splitPair(text)
  if (!Buffer.from(text, 'base64').includes(':')) throw unauthenticated('invalid basic authentication header value')
  return pair
}

function splitPair(given: string): { name: string; secret: string } {
  const text = Buffer.from(given.trim(), 'base64').toString('utf8')
  const at = text.indexOf(':')
  return at < 0 ? { name: text, secret: '' } : { name: text.slice(0, at), secret: text.slice(at + 1) }
}

/** A request names a user that does not exist. */
function userMissing(username: string): AppError {
  return new AppError(searchErrors.illegal_argument_exception, `user [${username}] does not exist`)
}

/** A user that is stored, or built in and not stored yet. */
function userOf(users: Collection<UserRecord>, username: string): UserInfo | undefined {
  const builtin = builtinUser(username)
  const known = { username, fullName: undefined, email: undefined, enabled: true, reserved: true }
  return infoOf(users.get(username)) ?? (builtin && { ...known, ...builtin })
}

function infoOf(record: UserRecord | undefined): UserInfo | undefined {
  if (!record) return undefined
  const { passwordHash: _passwordHash, fullName, email, ...rest } = record
  return { ...rest, fullName, email }
}
