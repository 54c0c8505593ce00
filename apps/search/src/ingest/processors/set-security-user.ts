import { AppError, searchErrors } from '@logstack/errors'
import type { Principal } from '../../model/scope.ts'
import { authenticationOf } from '../../security/shown-authentication.ts'
import { defineProcessor } from '../define-processor.ts'

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Members that hold something, beside those that stand there already; undefined without any. */
function joined(old: unknown, added: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const held = Object.entries(added).filter(([, value]) => value !== undefined)
  const all = { ...(isMap(old) ? old : {}), ...Object.fromEntries(held) }
  return Object.keys(all).length === 0 ? undefined : all
}

/** What each property adds to the field: undefined when nothing is known. */
const properties: Readonly<Record<string, (principal: Principal, user: Readonly<Record<string, unknown>>) => unknown>> =
  {
    username: ({ username }) => username,
    roles: ({ roles }) => (roles.length === 0 ? undefined : [...roles]),
    email: ({ details }) => details?.email,
    full_name: ({ details }) => details?.fullName,
    metadata: ({ details }) =>
      Object.keys(details?.metadata ?? {}).length === 0 ? undefined : structuredClone(details?.metadata),
    api_key: ({ apiKey }, user) => {
      if (!apiKey) return user['api_key']
      const { id, name, metadata } = apiKey
      return joined(user['api_key'], {
        name,
        id,
        metadata: Object.keys(metadata).length === 0 ? undefined : structuredClone(metadata),
      })
    },
    realm: (principal, user) => joined(user['realm'], authenticationOf(principal).realm),
    authentication_type: (principal) => authenticationOf(principal).type.toUpperCase(),
  }

/** `set_security_user`: who sent the document, under a field of it. */
export const setSecurityUserProcessor = defineProcessor('set_security_user', (config) => {
  const field = config.text('field')
  const wanted = (config.optionalTexts('properties') ?? Object.keys(properties)).map((given) => {
    const name = given.toLowerCase()
    const read = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (read) return [name, read] as const
    // Elasticsearch's own words.
    throw config.fault('properties', `Property value [${given}] is in valid`)
  })
  return (document, { principal }) => {
    if (!principal)
      throw new AppError(
        searchErrors.illegal_state_exception,
        'There is no authenticated user - the [set_security_user] processor requires an authenticated user',
      )
    const old = document.find(field)
    const user = isMap(old) ? { ...old } : {}
    for (const [name, read] of wanted) {
      const value = read(principal, user)
      if (value !== undefined) user[name] = value
    }
    document.set(field, user)
  }
})
