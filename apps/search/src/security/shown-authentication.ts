import type { Principal } from '../model/scope.ts'

/** How somebody was known, as Elasticsearch shows it: by which realm, and by what. */
export interface ShownAuthentication {
  /** Of an API key that of its owner. */
  readonly realm: { readonly name: string; readonly type: string }
  readonly type: 'realm' | 'token' | 'api_key'
}

const realms = {
  native: { name: 'default_native', type: 'native' },
  reserved: { name: 'reserved', type: 'reserved' },
  service: { name: '_service_account', type: '_service_account' },
} as const

/** How a principal was known. */
export function authenticationOf({ realm, apiKey, isReserved }: Principal): ShownAuthentication {
  if (apiKey) return { realm: realms[apiKey.ownerRealm], type: 'api_key' }
  if (realm === 'service') return { realm: realms.service, type: 'token' }
  return { realm: realms[isReserved === true ? 'reserved' : 'native'], type: realm === 'token' ? 'token' : 'realm' }
}
