import type { Principal, Scope } from '../model/scope.ts'
import type { ApplicationPrivileges } from './application-privileges.ts'
import type { Asking } from './denied.ts'
import type { Role } from './role.ts'
import type { RoleMappings } from './role-mappings.ts'
import type { ServiceTokens } from './service-tokens.ts'
import type { IssuedToken } from './tokens.ts'

/** A user as its owner may see it: everything but the password. */
export interface UserInfo {
  readonly username: string
  readonly roles: readonly string[]
  readonly fullName: string | undefined
  readonly email: string | undefined
  readonly metadata: Readonly<Record<string, unknown>>
  readonly enabled: boolean
  /** The administrator made at the first start, and those that are built in; they cannot be deleted. */
  readonly reserved: boolean
}

/** What a change of a user sets; absent parts stay, but for a new user a password is needed. */
export interface UserChange {
  readonly password?: string
  /** A bcrypt hash in the password's place. */
  readonly passwordHash?: string
  readonly roles?: readonly string[]
  readonly fullName?: string | undefined
  readonly email?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly enabled?: boolean
}

/** An API key as it is listed. The key itself is shown once, when it is made. */
export interface ApiKeyInfo {
  readonly id: string
  readonly name: string
  readonly createdAtMs: number
  readonly expiresAtMs: number | undefined
  readonly invalidated: boolean
  readonly invalidatedAtMs?: number | undefined
  /** The owner. */
  readonly username: string
  /** The key that made this one, by its id. */
  readonly madeBy?: string
  readonly metadata: Readonly<Record<string, unknown>>
  /** What the key may do; empty: all its owner could when it was made. */
  readonly roles: Readonly<Record<string, Role>>
  /** What its owner could when it was made or changed: the key's ceiling. */
  readonly limitedBy: Readonly<Record<string, Role>>
}

/** What a change of an API key sets; absent parts stay. */
export interface ApiKeyChange {
  readonly roles?: Readonly<Record<string, Role>> | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  readonly expiresAtMs?: number | undefined
}

/** Users, roles, tokens and API keys, and who a request comes from. Every change is durable when its promise resolves. */
export interface Security {
  /**
   * The scope of a request from its `Authorization` header; throws `security_exception` (401) with Elasticsearch's texts, and
   * `login_too_often` (429) when `address` failed for that user too often. `path` is only for the text.
   */
  authenticate(authorization: string | undefined, path: string, address?: string): Promise<Scope>
  /** The scope of another user, for whom a request acts; throws `security_exception` (403) unless a role of `scope` names it under `run_as`, and 401 when that user may not log in. */
  runAs(scope: Scope, username: string, asking: Asking): Scope
  /** Takes effect at once, and ends the user's tokens. */
  changePassword(username: string, change: Pick<UserChange, 'password' | 'passwordHash'>): Promise<void>
  /** Whether the password is the user's; counts as a login for the slow-down. */
  checkPassword(username: string, password: string, asking: Asking, address?: string): Promise<Scope>
  issueToken(username: string): Promise<IssuedToken>
  /** Throws `invalid_grant` for a token that is not good, or no longer. */
  refreshToken(refreshToken: string): Promise<IssuedToken & { readonly principal: Principal }>
  /** Ends a token and the one that came with it; 1 when it was valid until then, else 0. */
  invalidateToken(token: string, kind: 'access' | 'refresh'): Promise<number>
  /** Ends the tokens of a user, or of all of a realm; how many were valid until then. */
  invalidateTokensOf(whose: {
    readonly username: string | undefined
    readonly realm: string | undefined
  }): Promise<number>

  user(username: string): UserInfo | undefined
  users(): readonly UserInfo[]
  /** True when the user is new. */
  putUser(username: string, change: UserChange): Promise<boolean>
  /** True when there was one. */
  deleteUser(username: string): Promise<boolean>
  role(name: string): Role | undefined
  roles(): ReadonlyMap<string, Role>
  /** True when the role is new. */
  putRole(name: string, role: Role): Promise<boolean>
  /** True when there was one. */
  deleteRole(name: string): Promise<boolean>
  createApiKey(request: {
    readonly owner: Scope
    readonly name: string
    readonly roles: Readonly<Record<string, Role>>
    readonly expiresAtMs: number | undefined
    readonly metadata: Readonly<Record<string, unknown>>
  }): Promise<ApiKeyInfo & { readonly key: string }>
  apiKeys(): readonly ApiKeyInfo[]
  apiKey(id: string): ApiKeyInfo | undefined
  /**
   * Changes a key of `owner` and sets its ceiling to what the owner may now; false when nothing was different. Throws
   * `resource_not_found_exception` for a key of another, `illegal_argument_exception` for one that is no longer valid.
   */
  updateApiKey(owner: Scope, id: string, change: ApiKeyChange): Promise<boolean>
  /** The ids that were valid and are so no more. */
  invalidateApiKeys(ids: readonly string[]): Promise<readonly string[]>
  /** Has the passwords of these users, without names of all, looked at anew. */
  forgetLogins(usernames: readonly string[] | undefined): void
  readonly roleMappings: RoleMappings
  readonly privileges: ApplicationPrivileges
  readonly serviceTokens: Omit<ServiceTokens, 'scope'>
  /** The scope of search's own background work: everything. */
  readonly system: Scope
}
