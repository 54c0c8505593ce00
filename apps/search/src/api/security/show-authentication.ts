import type { Principal } from '../../model/scope.ts'
import type { Security, UserInfo } from '../../security/security.ts'
import { authenticationOf } from '../../security/shown-authentication.ts'

/** A user as it is shown: everything but the password. */
export function showUser(user: UserInfo) {
  const { username, roles, fullName = null, email = null, metadata, enabled } = user
  return { username, roles, full_name: fullName, email, metadata, enabled }
}

/** Who somebody is, and how that is known. */
export function showAuthentication(principal: Principal, security: Pick<Security, 'user'>) {
  const { username, roles, realm, tokenName, apiKey, runBy } = principal
  const user = security.user(username)
  const shown = authenticationOf(principal)
  const known = apiKey ? { name: '_es_api_key', type: '_es_api_key' } : shown.realm
  return {
    ...(user
      ? // A key is good until it ends, whatever becomes of its owner.
        { ...showUser(user), roles, ...(apiKey ? { enabled: true } : {}) }
      : { username, roles, full_name: null, email: null, metadata: {}, enabled: true }),
    ...(realm === 'service'
      ? {
          full_name: `Service account - ${username}`,
          metadata: { _elastic_service_account: true },
          token: { name: tokenName, type: '_service_account_index' },
        }
      : {}),
    authentication_realm: runBy ? authenticationOf(runBy).realm : known,
    lookup_realm: known,
    authentication_type: runBy ? authenticationOf(runBy).type : shown.type,
    ...(apiKey ? { api_key: { id: apiKey.id, name: apiKey.name } } : {}),
  }
}
