import { randomBytes } from 'node:crypto'
import { isAppError } from '@logstack/errors'
import type { AuditEventName } from '../../model/audit-events.ts'
import type { Principal, Scope } from '../../model/scope.ts'
import { onDenial } from '../denied.ts'
import { auditedChanges } from './changes.ts'
import type { AuditMembers, AuditTrail } from './events.ts'

/** A request as far as the trail tells of it. */
export interface AuditedRequest {
  readonly method: string
  readonly path: string
  readonly rawQuery: string
  readonly address: string
  readonly authorization: string | undefined
  readonly opaqueId: string | undefined
}

/** Follows one request. */
export interface RequestAudit {
  /** Nobody, or somebody who could not prove it. */
  failed(thrown: unknown): void
  /** Somebody whom the body of the request names could not prove it. */
  failedAs(username: string, thrown: unknown): void
  authenticated(scope: Scope): void
  ranAs(own: Scope, name: string, as: Scope | undefined): void
  /** Hears from now on of everything that `scope` is denied. */
  follow(scope: Scope): void
  granted(scope: Scope, action: string, indices: string | undefined): void
  /** A route of `_security` did what was asked. */
  changed(scope: Scope, route: string, params: Readonly<Record<string, string>>, body: () => unknown): void
}

const authentication = {
  native: 'REALM',
  reserved: 'REALM',
  token: 'TOKEN',
  service: 'TOKEN',
  api_key: 'API_KEY',
} as const satisfies Readonly<Record<Principal['realm'], string>>

/** Of a name that somebody claimed. */
const nameLettersMax = 1024

/** Parameters whose values may be a secret or hold one. */
const secretParameters = new Set(['source', 'token', 'password', 'api_key'])

/** Makes the follower of a request; nothing is worked out where an event is not written. */
export function auditRequest(trail: AuditTrail, request: AuditedRequest): RequestAudit {
  let id: string | undefined
  const record = (name: AuditEventName, members: () => AuditMembers): void => {
    if (!trail.includes(name)) return
    id ??= randomBytes(16).toString('base64url')
    trail.record(name, { ...membersOf(request), ...members(), 'request.id': id })
  }
  return {
    failed(thrown) {
      if (!isRefusedLogin(thrown)) return
      const given = request.authorization
      if (given === undefined || given === '') record('anonymous_access_denied', () => ({}))
      else record('authentication_failed', () => attempted(given))
    },
    failedAs(username, thrown) {
      if (!isRefusedLogin(thrown)) return
      record('authentication_failed', () => ({
        'user.name': username.slice(0, nameLettersMax),
        'authentication.type': authentication.native,
      }))
    },
    authenticated: (scope) => record('authentication_success', () => who(scope)),
    ranAs(own, name, as) {
      record(as ? 'run_as_granted' : 'run_as_denied', () => ({ ...who(own), 'user.run_as.name': name }))
    },
    follow(scope) {
      onDenial(scope, ({ action, indices }) =>
        record('access_denied', () => ({ ...who(scope), action, ...(indices.length === 0 ? {} : { indices }) })),
      )
    },
    granted(scope, action, indices) {
      record('access_granted', () => ({
        ...who(scope),
        action,
        ...(indices === undefined ? {} : { indices: indices.split(',') }),
      }))
    },
    changed(scope, route, params, body) {
      const describe = auditedChanges[route]
      if (!describe) return
      record('security_config_change', () => {
        const given = body()
        const members = typeof given === 'object' && given !== null ? (given as Readonly<Record<string, unknown>>) : {}
        return { ...who(scope), ...describe(params, members) }
      })
    },
  }
}

function isRefusedLogin(thrown: unknown): boolean {
  return isAppError(thrown) && ['security_exception', 'login_too_often'].includes(thrown.code)
}

function membersOf({ method, path, rawQuery, address, opaqueId }: AuditedRequest): AuditMembers {
  return {
    'origin.type': 'rest',
    'origin.address': address,
    'request.method': method,
    'url.path': path,
    ...(rawQuery === '' ? {} : { 'url.query': withoutSecrets(rawQuery) }),
    ...(opaqueId === undefined ? {} : { opaque_id: opaqueId }),
  }
}

function withoutSecrets(rawQuery: string): string {
  const parts = rawQuery.split('&').map((part) => {
    const [name = ''] = part.split('=')
    return secretParameters.has(decoded(name)) ? `${name}=[redacted]` : part
  })
  return parts.join('&')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function who({ principal: { username, roles, realm, apiKey } }: Scope): AuditMembers {
  const name = { 'user.name': username, ...(apiKey ? { 'apikey.id': apiKey.id, 'apikey.name': apiKey.name } : {}) }
  return { ...name, 'user.roles': roles, 'user.realm': realm, 'authentication.type': authentication[realm] }
}

/** Who somebody said to be; the rest of what was given is a secret. */
function attempted(authorization: string): AuditMembers {
  const [, scheme = '', given = ''] = /^(\S+)\s+(.+)$/.exec(authorization) ?? []
  const kind = scheme.toLowerCase()
  if (kind === 'bearer') return { 'authentication.type': 'TOKEN' }
  if (kind !== 'basic' && kind !== 'apikey') return {}
  const text = Buffer.from(given.trim(), 'base64').toString('utf8')
  const name = text.slice(0, Math.max(0, text.indexOf(':'))).slice(0, nameLettersMax)
  return kind === 'basic'
    ? { 'user.name': name, 'authentication.type': 'REALM' }
    : { 'apikey.id': name, 'authentication.type': 'API_KEY' }
}
