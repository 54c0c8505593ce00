import { AppError, searchErrors } from '@logstack/errors'
import { isRestricted, type Principal, type Scope } from '../model/scope.ts'
import type { PrivilegeLevel } from './privilege-actions.ts'
import { grantingPrivileges } from './privileges.ts'

const schemes = ['Basic realm="security", charset="UTF-8"', 'Bearer realm="security"', 'ApiKey']

/** A 401 with the challenge headers every refusal of that kind carries. */
export function unauthenticated(
  reason: string,
  challenges: readonly string[] = schemes,
  detail: Readonly<Record<string, string>> = {},
): AppError {
  // One alone stands by itself in the body, too.
  const [first] = challenges
  const shown = challenges.length === 1 && first !== undefined ? first : [...challenges]
  return new AppError(searchErrors.security_exception, reason, {
    detail: { ...detail, header: { 'WWW-Authenticate': shown } },
  })
}

/** A 401 for a bearer token that ran out or was taken back, in the words OAuth clients look for. */
export function tokenExpired(): AppError {
  return unauthenticated('token expired', [
    'Bearer realm="security", error="invalid_token", error_description="The access token expired"',
  ])
}

/** What a caller was refused. */
export interface Denial {
  readonly action: string
  readonly indices: readonly string[]
}

const listeners = new WeakMap<Scope, (denial: Denial) => void>()

/** Tells of everything that a caller is refused from now on, also of single items of a request that is answered. */
export function onDenial(scope: Scope, hear: (denial: Denial) => void): void {
  listeners.set(scope, hear)
}

/** What somebody asked for who is refused: the path of a request, or an action of it. */
export type Asking = string | { readonly action: string; readonly uri?: string }

/** The request itself, where the action of it is not what is refused. */
export function requestOf(asking: Asking): Asking {
  return typeof asking === 'string' ? asking : (asking.uri ?? asking)
}

/** What was asked for, as 401s name it. */
function askedFor(asking: Asking): string {
  return typeof asking === 'string' ? `REST request [${asking}]` : `action [${asking.action}]`
}

/** A 401 for a user who is not known by that password, who is not there, or who may not log in. */
export function userUnknown(username: string, asking: Asking): AppError {
  return unauthenticated(`unable to authenticate user [${username}] for ${askedFor(asking)}`)
}

/** A 401 for an API key or a token that nothing is known of. */
export function credentialsUnknown(detail: Readonly<Record<string, string>> = {}): AppError {
  const reason = 'unable to authenticate with provided credentials and anonymous access is not allowed for this request'
  return unauthenticated(reason, schemes, detail)
}

/** A 401 for a bearer token that is none of this search's. */
export function tokenUnknown(): AppError {
  return credentialsUnknown({ additional_unsuccessful_credentials: 'oauth2 token: invalid token' })
}

/** A 403 that says what was asked, who asked, and which privileges would allow it: those that let `wanted` through, and `others`. */
export function forbidden(
  scope: Scope,
  action: string,
  level: PrivilegeLevel,
  wanted: string,
  indices: readonly string[] = [],
  others: readonly string[] = [],
): AppError {
  listeners.get(scope)?.({ action, indices })
  const kind = indices.every(isRestricted) ? 'restricted indices' : 'indices'
  const on = indices.length > 0 ? ` on ${kind} [${indices.join(',')}]` : ''
  const granting = [...others, ...grantingPrivileges(level, wanted)].join(',')
  const reason =
    `action [${action}] is unauthorized for ${described(scope.principal)}${on}, ` +
    `this action is granted by the ${level} privileges [${granting}]`
  return new AppError({ ...searchErrors.security_exception, kind: 'forbidden' }, reason)
}

/** Who was refused. Keys and services have privileges, but no roles. */
function described(principal: Principal): string {
  const roles = principal.realm === 'service' || principal.apiKey ? undefined : [...principal.roles].sort().join(',')
  return `${named(principal)}${roles === undefined ? '' : ` with effective roles [${roles}]`}`
}

function named({ username, realm, apiKey, runBy }: Principal): string {
  if (runBy) return `${named(runBy)} run as [${username}]`
  if (realm === 'service') return `service account [${username}]`
  return apiKey ? `API key id [${apiKey.id}] of user [${username}]` : `user [${username}]`
}

/** A 403 for acting as another user; who may not learns not whether there is one. */
export function runAsDenied({ principal }: Scope, wanted: string, asking: Asking): AppError {
  const who = described(principal)
  const reason = `${askedFor(asking)} is unauthorized for ${who}, because ${named(principal)} is unauthorized to run as [${wanted}]`
  return new AppError({ ...searchErrors.security_exception, kind: 'forbidden' }, reason)
}

/** A 403 for what would reach fields or documents of an index that the caller's roles hide. */
export function hiddenFields(scope: Scope, index: string): AppError {
  listeners.get(scope)?.({ action: 'indices:data/read', indices: [index] })
  const reason = `roles of user [${scope.principal.username}] hide fields or documents of [${index}]: this request would reach them`
  return new AppError({ ...searchErrors.security_exception, kind: 'forbidden' }, reason)
}
