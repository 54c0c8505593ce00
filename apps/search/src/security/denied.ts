import { AppError, searchErrors } from '@logstack/errors'
import type { PrivilegeLevel } from './privilege-actions.ts'
import { grantingPrivileges } from './privileges.ts'
import { isRestricted, type Principal, type Scope } from './scope.ts'

const schemes = ['Basic realm="security", charset="UTF-8"', 'Bearer realm="security"', 'ApiKey']

/** A 401 with the challenge headers every refusal of that kind carries. */
export function unauthenticated(reason: string, challenges: readonly string[] = schemes): AppError {
  return new AppError(searchErrors.security_exception, reason, {
    detail: { header: { 'WWW-Authenticate': [...challenges] } },
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

/** A 403 that says what was asked, who asked, and which privileges would allow it: those that let `wanted` through. */
export function forbidden(
  scope: Scope,
  action: string,
  level: PrivilegeLevel,
  wanted: string,
  indices: readonly string[] = [],
): AppError {
  listeners.get(scope)?.({ action, indices })
  const kind = indices.every(isRestricted) ? 'restricted indices' : 'indices'
  const on = indices.length > 0 ? ` on ${kind} [${indices.join(',')}]` : ''
  const granting = grantingPrivileges(level, wanted).join(',')
  const reason =
    `action [${action}] is unauthorized for ${described(scope.principal)}${on}, ` +
    `this action is granted by the ${level} privileges [${granting}]`
  return new AppError({ ...searchErrors.security_exception, kind: 'forbidden' }, reason)
}

/** Who was refused. Keys and services have privileges, but no roles. */
function described({ username, roles, realm, apiKey }: Principal): string {
  if (realm === 'service') return `service account [${username}]`
  if (apiKey) return `API key id [${apiKey.id}] of user [${username}]`
  return `user [${username}] with effective roles [${[...roles].sort().join(',')}]`
}

/** A 403 for acting as another user; who may not learns not whether there is one. */
export function runAsDenied(username: string, wanted: string, path: string): AppError {
  const reason = `REST request [${path}] is unauthorized for user [${username}] run as [${wanted}], because user [${username}] is unauthorized to run as [${wanted}]`
  return new AppError({ ...searchErrors.security_exception, kind: 'forbidden' }, reason)
}

/** A 403 for what would reach fields or documents of an index that the caller's roles hide. */
export function hiddenFields(scope: Scope, index: string): AppError {
  listeners.get(scope)?.({ action: 'indices:data/read', indices: [index] })
  const reason = `roles of user [${scope.principal.username}] hide fields or documents of [${index}]: this request would reach them`
  return new AppError({ ...searchErrors.security_exception, kind: 'forbidden' }, reason)
}
